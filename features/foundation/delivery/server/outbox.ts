import type { Email, Outcome, Provider, Text } from '#delivery/server/provider.ts'

export type OutboxMessage = { to: string; subject: string | null; text: string; at: Date }

const maxKept = 50
const messages: OutboxMessage[] = []

/** Nothing leaves the server: this process keeps the newest in memory, for the operator at the machine. */
export const outboxOfEmails: Provider<Email> = {
  name: 'outbox',
  async send({ to, subject, text }) {
    return store({ to, subject, text, at: new Date() })
  },
}

export const outboxOfTexts: Provider<Text> = {
  name: 'outbox',
  async send({ to, text }) {
    return store({ to, subject: null, text, at: new Date() })
  },
}

/** The newest first. */
export function outbox(): readonly OutboxMessage[] {
  return messages.toReversed()
}

function store(one: OutboxMessage): Outcome {
  messages.push(one)
  messages.splice(0, messages.length - maxKept)
  return { is: 'unsent' }
}
