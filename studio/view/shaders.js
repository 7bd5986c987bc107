/* The shaders of the viewport (GLSL ES 3, through three.js). Colours are plain sRGB in and out. */

/* Segments: every vertex belongs to one segment, whose world frame is three texels of a float texture, with a fourth
 * for what it is highlighted by (colour and strength). */
export const BODY_VERTEX = /* glsl */ `
in float segment;
in vec3 paint;
uniform highp sampler2D frames;
flat out vec3 vColor;
flat out vec4 vGlow;
out vec3 vNormal;
out vec3 vWorld;

void main() {
    int row = int(segment + 0.5);
    vec4 r0 = texelFetch(frames, ivec2(0, row), 0);
    vec4 r1 = texelFetch(frames, ivec2(1, row), 0);
    vec4 r2 = texelFetch(frames, ivec2(2, row), 0);
    vGlow = texelFetch(frames, ivec2(3, row), 0);
    vec4 p = vec4(position, 1.0);
    vWorld = vec3(dot(r0, p), dot(r1, p), dot(r2, p));
    vNormal = vec3(dot(r0.xyz, normal), dot(r1.xyz, normal), dot(r2.xyz, normal));
    vColor = paint * paint;
    vGlow.rgb *= vGlow.rgb;
    gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}`;

/* A key light from above that turns with the camera half way, light from sky and ground, a soft edge. Gamma is taken as
 * 2, which is cheap and near enough. */
export const BODY_FRAGMENT = /* glsl */ `
precision highp float;
flat in vec3 vColor;
flat in vec4 vGlow;
in vec3 vNormal;
in vec3 vWorld;
uniform vec3 keyLight;
uniform vec3 sky;
uniform vec3 earth;
uniform float groundLevel;

void main() {
    vec3 n = normalize(vNormal);
    vec3 v = normalize(cameraPosition - vWorld);
    float facing = max(dot(n, v), 0.0);
    float key = max((dot(n, keyLight) + 0.3) * 0.77, 0.0);
    float near = clamp((vWorld.z - groundLevel + 0.05) * 2.5, 0.0, 1.0);
    vec3 light = mix(earth, sky, 0.5 + 0.5 * n.z) * (0.72 + 0.28 * near) + (0.78 * key * key + 0.16 * facing);
    float gloss = max(dot(n, normalize(keyLight + v)), 0.0);
    gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss;
    float edge = 1.0 - facing;
    edge *= edge * edge;
    vec3 color = vColor * light + 0.09 * gloss + edge * 0.10 * sky;
    color = mix(color, vGlow.rgb * (0.3 + 0.8 * light), 0.45 * vGlow.a) + vGlow.rgb * (edge * 0.8 * vGlow.a);
    gl_FragColor = vec4(sqrt(clamp(color, 0.0, 1.0)), 1.0);
}`;

/* Ghosts: only their edges are firm. */
export const GHOST_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 vNormal;
in vec3 vWorld;
uniform vec3 tint;
uniform float alpha;

void main() {
    vec3 n = normalize(vNormal);
    float facing = abs(dot(n, normalize(cameraPosition - vWorld)));
    gl_FragColor = vec4(mix(tint, vec3(1.0), 0.25 * facing), alpha * (0.30 + 0.70 * pow(1.0 - facing, 1.5)));
}`;

/* The shadow on the ground, from a small texture. */
export const SHADOW_VERTEX = /* glsl */ `
out vec2 vAt;
void main() {
    vAt = uv;
    gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
}`;

export const SHADOW_FRAGMENT = /* glsl */ `
precision highp float;
in vec2 vAt;
uniform sampler2D shadow;
uniform vec4 shade;
void main() { gl_FragColor = vec4(shade.rgb, shade.a * texture(shadow, vAt).r); }`;

/* The background: from light above to darker below, over the whole screen; coloured by vertex, for it is large. */
export const SKY_VERTEX = /* glsl */ `
uniform vec3 high;
uniform vec3 low;
out vec3 vColor;
void main() {
    vColor = mix(low, high, smoothstep(-1.0, 1.0, position.y - 0.25 * position.x * position.x));
    gl_Position = vec4(position.xy, 1.0, 1.0);
}`;

export const SKY_FRAGMENT = /* glsl */ `
precision mediump float;
in vec3 vColor;
void main() { gl_FragColor = vec4(vColor, 1.0); }`;

/* Lines: a rectangle for each, as wide as it should be on the screen. */
export const LINE_VERTEX = /* glsl */ `
in vec3 start;
in vec3 end;
in vec4 tint;
in float wide;
uniform vec2 resolution;
uniform float ratio;
out vec4 vTint;
out float vSide;
out float vHalf;

void main() {
    vec4 a = viewMatrix * vec4(start, 1.0), b = viewMatrix * vec4(end, 1.0);
    float near = -0.011;
    if (a.z > near && b.z > near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.z > near) a = mix(a, b, (a.z - near) / (a.z - b.z));
    if (b.z > near) b = mix(b, a, (b.z - near) / (b.z - a.z));
    vec4 ca = projectionMatrix * a, cb = projectionMatrix * b;
    vec2 along = (cb.xy / cb.w - ca.xy / ca.w) * resolution;
    float size = length(along);
    along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    vHalf = 0.5 * wide * ratio;
    float grown = vHalf + 1.0;
    vec4 p = position.x < 0.5 ? ca : cb;
    float cap = (position.x - 0.5) * vHalf;
    p.xy += (across * position.y * grown + along * cap) * 2.0 / resolution * p.w;
    p.z -= 2e-4 * p.w;
    vSide = position.y * grown;
    vTint = tint;
    gl_Position = p;
}`;

/* The same for the ground's grid, which has a place of its own and fades away from its middle. */
export const GRID_VERTEX = LINE_VERTEX.replaceAll('viewMatrix', 'modelViewMatrix')
    .replace('uniform float ratio;', 'uniform float ratio;\nuniform float reach;')
    .replace('vTint = tint;', `
    float far = length(position.x < 0.5 ? start : end) / reach;
    float left = clamp((1.0 - far) / 0.88, 0.0, 1.0);
    vTint = vec4(tint.rgb, tint.a * left * left);`);

export const LINE_FRAGMENT = /* glsl */ `
precision highp float;
in vec4 vTint;
in float vSide;
in float vHalf;
uniform float opacity;
void main() {
    float alpha = clamp(vHalf + 0.5 - abs(vSide), 0.0, 1.0);
    gl_FragColor = vec4(vTint.rgb, vTint.a * alpha * opacity);
}`;

export const FILL_VERTEX = /* glsl */ `
in vec4 tint;
out vec4 vTint;
void main() {
    vTint = tint;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
    gl_Position.z -= 1e-4 * gl_Position.w;
}`;

export const FILL_FRAGMENT = /* glsl */ `
precision highp float;
in vec4 vTint;
uniform float opacity;
void main() { gl_FragColor = vec4(vTint.rgb, vTint.a * opacity); }`;

/* Dots: disc, ring, diamond, square, cross, pin, by number; painter.js names them. */
export const DOT_VERTEX = /* glsl */ `
in vec4 tint;
in vec2 look;
uniform float ratio;
out vec4 vTint;
flat out vec2 vLook;
void main() {
    vTint = tint;
    vLook = vec2(look.x * ratio + 3.0, look.y);
    gl_PointSize = vLook.x;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
    gl_Position.z -= 4e-4 * gl_Position.w;
}`;

export const DOT_FRAGMENT = /* glsl */ `
precision highp float;
in vec4 vTint;
flat in vec2 vLook;
uniform float opacity;
uniform float ratio;
void main() {
    vec2 p = (gl_PointCoord - 0.5) * vLook.x;
    float r = 0.5 * vLook.x - 1.5, d;
    int shape = int(vLook.y + 0.5);
    if (shape == 0) d = length(p) - r;
    else if (shape == 1) d = abs(length(p) - r + ratio) - ratio;
    else if (shape == 2) d = (abs(p.x) + abs(p.y) - r) * 0.7071;
    else if (shape == 3) d = max(abs(p.x), abs(p.y)) - 0.8 * r;
    else if (shape == 4) d = max(abs(abs(p.x) - abs(p.y)) * 0.7071 - ratio, max(abs(p.x), abs(p.y)) - 0.8 * r);
    else {
        vec2 q = vec2(p.x, p.y + 0.3 * r);
        float head = length(q) - 0.62 * r;
        float needle = max(abs(p.x) - 0.09 * r * (1.2 - p.y / r), max(-p.y, p.y - r));
        d = min(head, needle);
        if (length(q) < 0.22 * r) d = 0.22 * r - length(q);
    }
    float alpha = clamp(0.5 - d, 0.0, 1.0);
    if (alpha <= 0.0) discard;
    float rim = shape == 1 || shape == 4 ? 0.0 : clamp(1.0 + d / ratio, 0.0, 1.0) * 0.35;
    gl_FragColor = vec4(mix(vTint.rgb, vec3(0.0), rim), vTint.a * alpha * opacity);
}`;
