//! `supple audit --against`: a second model, and where it goes.

use clap::Args;
use glam::{DVec3, EulerRot, Quat, Vec3};
use supple::Transform;

use crate::number::{positive, vector};

/// What a model is looked at together with.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What is looked at")]
pub struct Against {
    /// Look at what goes through this prop or second character instead: only
    /// between the two. Clips of the same name are played together; if it has one
    /// clip only, that one is; otherwise it stays in its rest pose
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub against: Option<String>,
    /// The bone that carries the prop of --against: its origin at the bone's, its
    /// axes along the bone's, as large as in its file
    #[arg(long, value_name = "BONE", requires = "against", verbatim_doc_comment)]
    pub attach: Option<String>,
    /// Move the model of --against from there [default: 0,0,0]
    #[arg(long, value_name = "X,Y,Z", requires = "against", value_parser = vector, allow_hyphen_values = true)]
    pub offset: Option<DVec3>,
    /// Turn it by degrees about the axes X, then Y, then Z [default: 0,0,0]
    #[arg(long, value_name = "X,Y,Z", requires = "against", value_parser = vector, allow_hyphen_values = true)]
    pub turn: Option<DVec3>,
    /// Make it larger or smaller: 0.01 if it is in centimetres and the other in
    /// metres [default: 1]
    #[arg(long, value_name = "FACTOR", requires = "against", value_parser = positive, verbatim_doc_comment,
          allow_negative_numbers = true)]
    pub scale: Option<f32>,
}

impl Against {
    /// Where the second model goes: scaled, turned, moved.
    pub fn placement(&self) -> Transform {
        let turn = self.turn.unwrap_or_default().as_vec3() * (std::f32::consts::PI / 180.0);
        Transform {
            translation: self.offset.unwrap_or_default().as_vec3(),
            rotation: Quat::from_euler(EulerRot::ZYX, turn.z, turn.y, turn.x),
            scale: Vec3::splat(self.scale.unwrap_or(1.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_turned_about_in_their_order() {
        let turned = |x: f64, y: f64, z: f64| {
            let against = Against { turn: Some(DVec3::new(x, y, z)), ..Against::default() };
            against.placement().rotation
        };
        assert_eq!(turned(0.0, 0.0, 0.0), Quat::IDENTITY);
        assert!((turned(90.0, 0.0, 0.0) * Vec3::Y).distance(Vec3::Z) < 1e-6);
        assert!((turned(90.0, 90.0, 0.0) * Vec3::Y).distance(Vec3::X) < 1e-6);
        assert!((turned(90.0, 90.0, 90.0) * Vec3::Y).distance(Vec3::Y) < 1e-6);
    }
}
