import type { Check } from '#apps/server/doctor/check.ts'
import { bad, ok, warn, type Finding } from '#apps/server/doctor/finding.ts'
import type { ProviderHealth } from '#reconciliation/contract.ts'

const dayMs = 86_400_000
const reportedFailures = 3
const maxInboxSeconds = 600

export const payments: Check<'health'> = {
  needs: ['health'],
  run: ({ health }) => health.payments.flatMap((provider) => ofProvider(provider, Date.now())),
}

export function ofProvider({ name, failures, keyProblem, inboxSeconds, endings, ...late }: ProviderHealth, now: number): Finding[] {
  const waiting = late.suspended + late.lateOrders + late.lateRefunds + late.failedStatements
  const found = [
    ...endings.map(({ name: key, endsAt }) => keyEnd(name, key, Math.ceil((Date.parse(endsAt) - now) / dayMs))),
    ...(keyProblem === null ? [] : [bad('paymentKeys', { provider: name, problem: keyProblem })]),
    ...(failures >= reportedFailures ? [bad('paymentFailing', { provider: name, count: failures })] : []),
    ...((inboxSeconds ?? 0) > maxInboxSeconds ? [bad('paymentInbox', { provider: name })] : []),
    ...(waiting > 0 ? [warn('paymentWaiting', { provider: name, count: waiting })] : []),
  ]
  return found.length > 0 ? found : [ok('paymentWell', { provider: name })]
}

function keyEnd(provider: string, key: string, days: number): Finding {
  return days > 0 ? warn('paymentEnding', { provider, key, days }) : bad('paymentEnded', { provider, key })
}
