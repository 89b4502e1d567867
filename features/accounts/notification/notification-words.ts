import type { NotificationView } from '#notification/notification-contract.ts'

/** The actors, as the sentence names them. */
export function namesIn({ members, people }: Pick<NotificationView, 'members' | 'people'>) {
  const [one = '', two = ''] = members.map(({ name }) => name)
  return { people, one, two, others: people - 2 }
}
