export { give, isGiven } from '#red-envelope/server/give.ts'
export { appeared, disappeared } from '#red-envelope/server/presence.ts'
