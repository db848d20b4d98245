//! A picture in at most 256 colours, which makes small files.
//!
//! In come sRGB bytes of pixels, out go colours and for each pixel the number of its colour. Pixels are gathered by their upper 5, 6
//! and 5 bits; the 256 largest groups become colours, each the mean of its pixels, and the others take the nearest of these.
//! What must hold: a picture of groups that have one colour each, at most 256 of them, is kept as it is.

/// Colours and pixels.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    /// Three bytes each.
    pub colours: Vec<u8>,
    /// The number of each pixel's colour.
    pub pixels: Vec<u8>,
}

/// Pixels whose colours have the same upper bits.
#[derive(Clone, Copy, Default)]
struct Group {
    count: u64,
    sum: [u64; 3],
}

impl Group {
    fn mean(&self) -> [u8; 3] {
        self.sum.map(|sum| ((sum + self.count / 2) / self.count.max(1)) as u8)
    }
}

const GROUPS: usize = 1 << 16;

fn group_of([r, g, b]: [u8; 3]) -> usize {
    usize::from(r >> 3) << 11 | usize::from(g >> 2) << 5 | usize::from(b >> 3)
}

impl Palette {
    pub fn new(rgb: &[u8]) -> Self {
        let pixels = rgb.as_chunks::<3>().0;
        let mut groups = vec![Group::default(); GROUPS];
        for &pixel in pixels {
            let group = &mut groups[group_of(pixel)];
            group.count += 1;
            for (sum, byte) in group.sum.iter_mut().zip(pixel) {
                *sum += u64::from(byte);
            }
        }
        let mut used: Vec<usize> = (0..GROUPS).filter(|&group| groups[group].count > 0).collect();
        // Stable: of equally large groups the first goes first.
        used.sort_by_key(|&group| std::cmp::Reverse(groups[group].count));
        let colours: Vec<[u8; 3]> = used.iter().take(256).map(|&group| groups[group].mean()).collect();
        let mut numbers = vec![0; GROUPS];
        for (place, &group) in used.iter().enumerate() {
            numbers[group] = u8::try_from(place).unwrap_or_else(|_| nearest(&colours, groups[group].mean()));
        }
        Self {
            colours: colours.concat(),
            pixels: pixels.iter().map(|&pixel| numbers[group_of(pixel)]).collect(),
        }
    }
}

/// The number of the nearest of at most 256 colours.
fn nearest(colours: &[[u8; 3]], colour: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> u32 {
        other.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    (0..=u8::MAX).zip(colours).min_by_key(|(_, other)| distance(other)).map_or(0, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(palette: &Palette) -> Vec<[u8; 3]> {
        let colours = palette.colours.as_chunks::<3>().0;
        palette.pixels.iter().map(|&number| colours[usize::from(number)]).collect()
    }

    #[test]
    fn few_colours_are_kept() {
        let pixels: Vec<[u8; 3]> =
            (0..=255).flat_map(|i: u8| [[i & 0xf8, i << 5, 77], [i & 0xf8, i << 5, 77]]).collect();
        assert_eq!(shown(&Palette::new(&pixels.concat())), pixels);
        assert_eq!(shown(&Palette::new(&[])), [[0; 3]; 0]);
    }

    #[test]
    fn rare_colours_become_the_nearest_common_one() {
        let common = |i: u32| [(i % 32 * 8) as u8, (i / 32 * 32) as u8, 0];
        let rare = |[r, g, _]: [u8; 3]| [r, g, 8];
        let pixels: Vec<[u8; 3]> = (0..256).flat_map(|i| [rare(common(i)), common(i), common(i)]).collect();
        let palette = Palette::new(&pixels.concat());
        assert_eq!(palette.colours.len(), 768);
        for (pixel, shown) in pixels.iter().zip(shown(&palette)) {
            assert_eq!(shown, [pixel[0], pixel[1], 0]);
        }
    }
}
