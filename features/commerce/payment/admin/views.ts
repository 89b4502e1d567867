import type { Output } from '#base/contract.ts'
import type { staffEvent } from '#payment/event-contract.ts'
import type { staffPayment } from '#payment/staff-contract.ts'

export type Payment = Output<typeof staffPayment>
export type StaffEvent = Output<typeof staffEvent>

/** The limits without approval in yuan: per transaction, and per day. */
export type Limits = { alone: string; aloneADay: string }
