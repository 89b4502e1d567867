const kept = 'identity ticket'

/** Whom a provider knows and nobody here does: kept in this tab while one logs in to the account that is meant. */
export type Waiting = { ticket: string; provider: string }

export function keepWaiting(waiting: Waiting): void {
  sessionStorage.setItem(kept, JSON.stringify(waiting))
}

export function waiting(): Waiting | null {
  const { ticket, provider }: Partial<Waiting> = JSON.parse(sessionStorage.getItem(kept) ?? '{}')
  return ticket && provider ? { ticket, provider } : null
}

export function waitNoMore(): void {
  sessionStorage.removeItem(kept)
}
