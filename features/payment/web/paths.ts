import type { PaymentView } from '#payment/contract.ts'

const page = '/user/control/payment'

/** The page of one payment: what is left to do while it is open, its receipt once it is paid. */
export function paymentPath(number: string): string {
  return `${page}?number=${number}`
}

/** The form, for the amount of a payment that came to nothing, and on to the same page. */
export function againPath({ amount, returnTo }: Pick<PaymentView, 'amount' | 'returnTo'>): string {
  return `${page}?${new URLSearchParams({ amount, ...(returnTo && { returnTo }) })}`
}

/** Where an open payment goes on: at the provider, or by the code on a page of ours. */
export function onwardPath({ number, start }: Pick<PaymentView, 'number' | 'start'>): string {
  return start?.go === 'page' ? start.to : paymentPath(number)
}

export function sandboxPath(number: string): string {
  return `/payment/sandbox?number=${number}`
}

/** Where the provider sends the payer back to. */
export function completedPath({ provider, number }: Pick<PaymentView, 'provider' | 'number'>): string {
  return `/paymentCompleted/${provider}/topUp/${number}`
}

/** My payments, from one on; without one the newest. */
export function historyPath(before: string | null): string {
  return `${page}${before ? `?before=${before}` : ''}#history`
}
