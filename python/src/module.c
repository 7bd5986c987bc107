/* The module limber._limber. */
#include "lbpy.h"

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_limber", NULL, -1, lbpy_api, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__limber(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && (PyModule_AddFunctions(module, lbpy_solving) || PyModule_AddFunctions(module, lbpy_extras) ||
                   lbpy_handle_ready(module) || lbpy_struct_ready(module) || lbpy_engine_ready(module) ||
                   PyModule_AddIntMacro(module, LB_BODY_LIMBS) || PyModule_AddIntMacro(module, LB_BODY_PARTS))) {
        Py_CLEAR(module);
    }
    return module;
}
