//! Pictures as PNG: in comes a canvas, out go bytes or a file (8 bit sRGB, no alpha).

use std::path::Path;

use crate::canvas::Canvas;
use crate::error::DrawError;

impl Canvas {
    /// The picture as the bytes of a PNG file.
    pub fn to_png_bytes(&self) -> Result<Vec<u8>, DrawError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width(), self.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(DrawError::Encode)?;
        writer.write_image_data(&self.to_rgb_bytes()).map_err(DrawError::Encode)?;
        writer.finish().map_err(DrawError::Encode)?;
        Ok(bytes)
    }

    /// Writes the picture to a PNG file, replacing what is there; the folder must exist.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), DrawError> {
        let path = path.as_ref();
        std::fs::write(path, self.to_png_bytes()?)
            .map_err(|source| DrawError::Write { path: path.to_path_buf(), source })
    }
}
