//! Tests of `supple::narrow`: two triangles, a ray and a triangle, a point and a triangle.

mod distance;
mod exact_oracle;
mod point_location;
mod probe;
mod ray_triangle;
mod triangle_triangle;
