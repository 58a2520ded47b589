/**
 * Versions of resources that are being made.
 *
 * A resource is replaced, never edited. What changes with every job is copied field by field, by a
 * function beside its type, and then filled in: the copies that a spread makes have a shape of their
 * own at each place where one stands, and once there are many shapes, V8 reads and copies slowly.
 * The compiler sees to it that no field is forgotten, one that may be absent included.
 */

/** A resource that nobody else has seen: it may be changed until it is stored. */
export type Draft<Resource> = { -readonly [Field in keyof Resource]: Resource[Field] }
