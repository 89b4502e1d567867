import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'payments',
    by: ['payment_order.member_id'],
    rows: (memberId) => sql`
      select number, provider, method, cents, state, created_at as "createdAt", paid_at as "paidAt", closed_at as "closedAt",
        provider_number as "providerNumber", transaction_id as "transactionId",
        (select json_agg(json_build_object('number', back.number, 'cents', back.cents, 'state', back.state, 'at', asked_at) order by back.id)
          from payment_refund as back where order_id = payment_order.id) as refunds,
        (select json_agg(json_build_object('reason', asked.reason, 'state', asked.state, 'at', asked_at, 'answer', answer) order by asked.id)
          from payment_refund_request as asked where order_id = payment_order.id) as "refundRequests"
      from payment_order where member_id = ${memberId} order by id`,
  },
  {
    name: 'payments-credited-by-staff',
    by: ['payment_event.credited_to'],
    rows: (memberId) => sql`
      select provider, facts ->> 'providerNumber' as "providerNumber", facts ->> 'cents' as cents, handled_at as at, transaction_id as "transactionId"
      from payment_event where credited_to = ${memberId} order by id`,
  },
]
