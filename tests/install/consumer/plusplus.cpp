// The headers serve C++ as well.
#include <iostream>
#include <limber/io.h>
#include <limber/limber.h>

int main() {
    lb_joint_type type;
    lb_figure *figure = nullptr;
    lb_status status = lb_joint_type_parse("ball", &type, nullptr);
    if (status != LB_OK || lb_joint_type_dof_count(&type) != 3) {
        return 1;
    }
    status = lb_figure_load("chain:2", nullptr, &figure, nullptr);
    std::cout << "C++: " << lb_status_text(status) << '\n';
    lb_figure_destroy(figure);
    return status == LB_OK ? 0 : 1;
}
