export { adoptAsStaff } from '#question/server/adopt.ts'
