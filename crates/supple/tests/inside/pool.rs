//! Tests of what `pool` keeps to itself.

use super::*;

#[test]
fn memory_stays_below_the_limit() {
    let mut pool = Pool::with_at_most(40);
    pool.make_room(1000);
    for key in 0..1000 {
        pool.insert(key, || [0u8; 100]);
        assert!(pool.find(key).is_some());
    }
    assert!(pool.bytes() <= 1000 * 4 + 40 * 104, "{}", pool.bytes());
}

#[test]
fn keys_are_present_until_everything_is_forgotten() {
    let mut pool = Pool::default();
    pool.make_room(3);
    assert_eq!(pool.find(0), None);
    let entry = pool.insert(2, || 'a');
    *pool.get_mut(entry) = 'c';
    assert_eq!((pool.find(2), *pool.get(entry)), (Some(entry), 'c'));
    assert_eq!(pool.find(0), None, "an entry of another key is not its own");
    pool.clear();
    assert_eq!(pool.find(2), None);
    pool.insert(0, || 'a');
    assert_eq!(pool.find(2), None, "its old entry now has another key");
    assert_eq!(pool.find(0), Some(0));
}
