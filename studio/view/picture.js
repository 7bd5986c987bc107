/* Pictures of the view, for files and thumbnails. The canvas itself is drawn in another size and put back at once, so
 * nobody sees it. */

/**
 * @param {View} view
 * @param {{width?: number, height?: number, transparent?: boolean, plain?: boolean, during?: () => void}} options
 *     plain: figures only; during: called while the camera is that of the picture
 * @returns {Promise<Blob>} a PNG
 */
export function takePicture(view, {width = view.width, height = view.height, transparent = false, plain = false,
    during = () => {}} = {}) {
    /** @type {[number, number, number]} */
    const before = [view.width, view.height, view.renderer.getPixelRatio()], {ground, painter} = view;
    try {
        view.setPixels(width, height, 1);
        ground.sky.visible = !transparent;
        ground.blob.visible = !plain && !transparent;
        painter.visible = !plain;
        view.isGridHidden = plain || transparent;
        view.isPlain = plain;
        view.isPicture = true; /* words stay where they are */
        view.renderer.setClearColor(0, 0);
        view.draw();
        during();
        return new Promise((resolve, reject) => {
            /** @param {Blob | null} blob */
            const done = (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made')));
            view.canvas.toBlob(done, 'image/png');
        });
    } finally {
        ground.sky.visible = ground.blob.visible = painter.visible = true;
        view.isGridHidden = view.isPlain = view.isPicture = false;
        view.setPixels(...before);
        view.draw();
    }
}
