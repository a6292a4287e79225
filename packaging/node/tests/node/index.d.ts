// What the types use of @types/node.
interface Buffer extends Uint8Array {}
