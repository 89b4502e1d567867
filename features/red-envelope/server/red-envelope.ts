export { give, isGiven } from '#red-envelope/server/give.ts'
export { forgetGreetings } from '#red-envelope/server/end.ts'
export { appeared, disappeared } from '#red-envelope/server/presence.ts'
