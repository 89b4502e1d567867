export { waiting } from '#payment/server/events-for-staff.ts'
