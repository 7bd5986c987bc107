// What the view uses of three.js, module by module. A bundler cannot divide three's one large file: so what only skins
// need (animation, loaders, their materials) comes with skin/skin.js, when a skin is opened, and not with the page.
export {PerspectiveCamera} from 'three/src/cameras/PerspectiveCamera.js';
export {
    DoubleSide, DynamicDrawUsage, FloatType, GreaterDepth, LessEqualDepth, LinearFilter, RGBAFormat, RedFormat,
    SRGBColorSpace, UnsignedByteType,
} from 'three/src/constants.js';
export {BufferAttribute, Float32BufferAttribute} from 'three/src/core/BufferAttribute.js';
export {BufferGeometry} from 'three/src/core/BufferGeometry.js';
export {InstancedBufferAttribute} from 'three/src/core/InstancedBufferAttribute.js';
export {InstancedBufferGeometry} from 'three/src/core/InstancedBufferGeometry.js';
export {PlaneGeometry} from 'three/src/geometries/PlaneGeometry.js';
export {DirectionalLight} from 'three/src/lights/DirectionalLight.js';
export {HemisphereLight} from 'three/src/lights/HemisphereLight.js';
export {MeshLambertMaterial} from 'three/src/materials/MeshLambertMaterial.js';
export {PointsMaterial} from 'three/src/materials/PointsMaterial.js';
export {ShaderMaterial} from 'three/src/materials/ShaderMaterial.js';
export {Color} from 'three/src/math/Color.js';
export {Vector2} from 'three/src/math/Vector2.js';
export {Vector3} from 'three/src/math/Vector3.js';
export {Vector4} from 'three/src/math/Vector4.js';
export {Mesh} from 'three/src/objects/Mesh.js';
export {Points} from 'three/src/objects/Points.js';
export {WebGLRenderer} from 'three/src/renderers/WebGLRenderer.js';
export {Scene} from 'three/src/scenes/Scene.js';
export {DataTexture} from 'three/src/textures/DataTexture.js';
