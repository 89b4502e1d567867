import * as assistant from '#assistant/server/assistant.ts'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import * as feedback from '#feedback/server/feedback.ts'
import * as member from '#member/server/member.ts'
import * as message from '#message/server/message.ts'
import * as payment from '#payment/server/payment.ts'
import * as report from '#report/server/report.ts'
import * as review from '#review/server/review.ts'
import type { waitingNow } from '#statistic/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** Counts of the queues this member of staff may see. */
export async function waitingFor(db: Db, by: Staff): Promise<Output<typeof waitingNow>> {
  const [reviews, reports, messageReports, answerReports, letters, moneyRequests, joining, payments] = await Promise.all([
    by.staff.may('content.review') ? review.waiting(db, by) : null,
    by.staff.may('report.view') ? report.waiting(db, by) : null,
    by.staff.may('message.report') ? message.pendingMessageReports(db) : null,
    by.staff.may('assistant.report') ? assistant.pendingMessageReports(db) : null,
    by.staff.may('feedback.handle') ? feedback.waiting(db) : null,
    wallet.requestsWaiting(db, by),
    by.staff.may('member.approve') ? member.pendingRegistrations(db) : null,
    by.staff.may('payment.view') ? payment.waitingForStaff(db) : null,
  ])
  return {
    reviews,
    reports: reports?.cases ?? null,
    appeals: reports?.appeals ?? null,
    messageReports,
    answerReports,
    feedback: letters,
    moneyRequests,
    joining,
    payments: payments?.events ?? null,
    disputes: payments?.disputes ?? null,
  }
}
