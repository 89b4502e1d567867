import type { PaymentView } from '#payment/contract.ts'

const page = '/user/control/payment'

/** The page of one payment: its next step while it is open, its receipt once it is paid. */
export function paymentPath(number: string): string {
  return `${page}?number=${number}`
}

/** The form, with the amount and return page of a failed payment. */
export function retryPath({ amount, returnTo }: Pick<PaymentView, 'amount' | 'returnTo'>): string {
  return `${page}?${new URLSearchParams({ amount, ...(returnTo && { returnTo }) })}`
}

/** The address where an open payment continues: at the provider, or on the page with its code. */
export function continuePath({ number, start }: Pick<PaymentView, 'number' | 'start'>): string {
  return start?.go === 'page' ? start.to : paymentPath(number)
}

export function sandboxPath(number: string): string {
  return `/payment/sandbox?number=${number}`
}

export function completedPath({ provider, number }: Pick<PaymentView, 'provider' | 'number'>): string {
  return `/paymentCompleted/${provider}/topUp/${number}`
}

/** My payments after this cursor; without one the newest. */
export function historyPath(before: string | null): string {
  return `${page}${before ? `?before=${before}` : ''}#history`
}
