//! Things that are computed on demand and forgotten all at once: a sparse set.
//!
//! Every key remembers the number of an entry, every entry knows its key. A key is present when the entry it remembers knows that key, so
//! forgetting everything costs one assignment, and memory follows what was asked for, not what could be asked for.
//! Entries stand in the order in which they were computed, which is the order in which they are needed again.
//!
//! Based on: P. Briggs, L. Torczon, An Efficient Representation for Sparse Sets, 1993.

/// Entries by key.
#[derive(Clone, Debug)]
pub(crate) struct Pool<T> {
    entry_of_key: Vec<u32>,
    keys: Vec<u32>,
    entries: Vec<T>,
    most: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self::with_at_most(usize::MAX)
    }
}

impl<T> Pool<T> {
    /// A pool that forgets everything before it would have more than this many entries.
    pub fn with_at_most(most: usize) -> Self {
        Self { entry_of_key: Vec::new(), keys: Vec::new(), entries: Vec::new(), most }
    }

    /// Makes room for keys below `count`; does nothing the second time.
    #[inline(always)]
    pub fn make_room(&mut self, count: usize) {
        if self.entry_of_key.len() < count {
            self.entry_of_key.resize(count, 0);
        }
    }

    /// Where the entry of a key is.
    #[inline(always)]
    pub fn find(&self, key: usize) -> Option<usize> {
        let entry = *self.entry_of_key.get(key)? as usize;
        (self.keys.get(entry) == Some(&(key as u32))).then_some(entry)
    }

    /// An entry for a key that is not present; what is left there from another key is to be overwritten.
    #[inline(always)]
    pub fn insert(&mut self, key: usize, new: impl Fn() -> T) -> usize {
        debug_assert!(self.find(key).is_none());
        if self.keys.len() == self.entries.len() {
            self.grow(new);
        }
        let entry = self.keys.len();
        self.entry_of_key[key] = entry as u32;
        self.keys.push(key as u32);
        entry
    }

    /// Half as many entries again, but not beyond the limit.
    #[cold]
    fn grow(&mut self, new: impl Fn() -> T) {
        let count = self.entries.len();
        if count >= self.most {
            return self.clear();
        }
        let more = (count / 2).max(16).min(self.most - count);
        self.entries.reserve_exact(more);
        self.keys.reserve_exact(more);
        self.entries.resize_with(count + more, new);
    }

    /// What an entry holds.
    #[inline(always)]
    pub fn get(&self, entry: usize) -> &T {
        &self.entries[entry]
    }

    /// What an entry holds.
    #[inline(always)]
    pub fn get_mut(&mut self, entry: usize) -> &mut T {
        &mut self.entries[entry]
    }

    /// Forgets all entries and keeps their memory.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let numbers = self.entry_of_key.capacity() + self.keys.capacity();
        numbers * size_of::<u32>() + self.entries.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
#[path = "../tests/inside/pool.rs"]
mod tests;
