import {
  CircleGeometry, Color, DirectionalLight, Float32BufferAttribute, GridHelper, HemisphereLight, Mesh, MeshBasicMaterial,
  PerspectiveCamera, Scene, Spherical, Vector2, Vector3, WebGLRenderer, type LineBasicMaterial, type Object3D,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** The canvas: light, ground, camera. Draws only when something has changed. */
export class Stage {
  readonly controls: OrbitControls;
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  private readonly scene = new Scene();
  private readonly renderer: WebGLRenderer;
  private readonly ground = new Mesh(new CircleGeometry(1, 48), new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
  private readonly key = new DirectionalLight(0xfff4e6, 1.9);
  private readonly rim = new DirectionalLight(0xbfd4ff, 0.9);
  private grid: GridHelper | undefined;
  private size = 1;
  private isStale = true;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene.add(new HemisphereLight(0xffffff, 0x9a8f88, 1.7), this.camera, this.key, this.rim);
    this.key.position.set(2, 4, 3);
    this.rim.position.set(-3, 2, -3);
    this.addShadow();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => this.changed());
    canvas.addEventListener('keydown', event => this.turnByKey(event));
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.takeColours());
    this.resize();
    this.takeColours();
  }

  add(...objects: Object3D[]): void {
    this.scene.add(...objects);
    this.changed();
  }

  changed(): void {
    this.isStale = true;
  }

  /** Puts the camera in front of a box, and the ground below it: a little from the side of one figure, in front of two. */
  frame([x0, y0, z0, x1, y1, z1]: number[], hasTwo: boolean): void {
    const turn = hasTwo ? 0 : 0.45;
    this.ground.visible = !hasTwo;
    const centre = new Vector3(x0 + x1, y0 + y1, z0 + z1).multiplyScalar(0.5);
    const box = new Vector3(x1 - x0, y1 - y0, z1 - z0);
    this.size = Math.max(box.length(), 1e-6);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const { aspect } = this.camera;
    const width = Math.hypot(box.x * Math.cos(turn), box.z * Math.sin(turn)) + 0.25 * box.z;
    const distance = Math.max(box.y / 2 / half, width / 2 / half / aspect) * 1.22 + box.z / 2;
    this.camera.position.setFromSpherical(new Spherical(distance, 1.42, turn)).add(centre);
    this.camera.near = 0.004 * this.size;
    this.camera.far = 40 * this.size;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.minDistance = 0.05 * this.size;
    this.controls.maxDistance = 12 * this.size;
    this.controls.update();
    this.ground.position.set(centre.x, y0, centre.z);
    this.ground.scale.setScalar(0.36 * Math.max(box.x, box.z, 0.4 * box.y) + 0.12 * this.size);
    this.addGrid(centre, y0);
    this.changed();
  }

  /** The eye and the direction through a pixel. */
  ray(x: number, y: number): { origin: Vector3; direction: Vector3 } {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const direction = new Vector3(at.x, at.y, 0.5).unproject(this.camera).sub(this.camera.position).normalize();
    return { origin: this.camera.position.clone(), direction };
  }

  /** Draws if something has changed. */
  render(): void {
    this.controls.update();
    if (!this.isStale) return;
    this.isStale = false;
    this.renderer.render(this.scene, this.camera);
  }

  /** Colours come from the style sheet, which knows dark and light. */
  takeColours(): void {
    const style = getComputedStyle(this.canvas);
    this.scene.background = new Color(style.backgroundColor);
    for (const material of this.grid ? [this.grid.material].flat() as LineBasicMaterial[] : []) material.color.set(style.color);
    this.changed();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.changed();
  }

  private addGrid(centre: Vector3, y: number): void {
    this.grid?.removeFromParent();
    this.grid?.dispose();
    const cell = 10 ** Math.round(Math.log10(this.size / 6));
    const cells = 2 * Math.ceil((1.6 * this.size) / cell);
    this.grid = new GridHelper(cells * cell, cells, 0xffffff, 0xffffff);
    Object.assign(this.grid.material, { transparent: true, opacity: 0.5, depthWrite: false });
    this.grid.position.set(Math.round(centre.x / cell) * cell, y, Math.round(centre.z / cell) * cell);
    this.scene.add(this.grid);
    this.takeColours();
  }

  /** A soft dark spot on the ground. */
  private addShadow(): void {
    const { geometry } = this.ground;
    const points = geometry.attributes.position;
    const colours = Array.from({ length: points.count }, (_, i) => [0, 0, 0, i === 0 ? 0.34 : 0]).flat();
    geometry.setAttribute('color', new Float32BufferAttribute(colours, 4));
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.renderOrder = -1;
    this.scene.add(this.ground);
  }

  private turnByKey(event: KeyboardEvent): void {
    const turn: Record<string, [number, number, number]> = {
      ArrowLeft: [-0.12, 0, 1], ArrowRight: [0.12, 0, 1], ArrowUp: [0, -0.1, 1], ArrowDown: [0, 0.1, 1],
      '+': [0, 0, 0.9], '=': [0, 0, 0.9], '-': [0, 0, 1.1],
    };
    const by = turn[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const offset = new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
    offset.theta += by[0];
    offset.phi += by[1];
    offset.radius *= by[2];
    this.camera.position.setFromSpherical(offset.makeSafe()).add(this.controls.target);
    this.changed();
  }
}
