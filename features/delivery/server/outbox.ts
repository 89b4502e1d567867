import type { Email, Outcome, Provider, Text } from '#delivery/server/provider.ts'

export type OutboxMessage = { to: string; subject: string | null; text: string; at: Date }

const mostKept = 50
const kept: OutboxMessage[] = []

/** Nothing leaves the server: this process keeps the newest in memory, for the operator at the machine. */
export const outboxOfEmails: Provider<Email> = {
  name: 'outbox',
  async send({ to, subject, text }) {
    return keep({ to, subject, text, at: new Date() })
  },
}

export const outboxOfTexts: Provider<Text> = {
  name: 'outbox',
  async send({ to, text }) {
    return keep({ to, subject: null, text, at: new Date() })
  },
}

/** The newest first. */
export function outbox(): readonly OutboxMessage[] {
  return kept.toReversed()
}

function keep(one: OutboxMessage): Outcome {
  kept.push(one)
  kept.splice(0, kept.length - mostKept)
  return { is: 'unsent' }
}
