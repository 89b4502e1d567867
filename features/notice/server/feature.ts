import type { Feature } from '#base/server/feature.ts'
import { membersMerged } from '#notice/server/remind.ts'
import { archive } from '#notice/server/archive-parts.ts'
import { jobs } from '#notice/server/jobs.ts'
import { routes, streams } from '#notice/server/routes.ts'
import { composeReminders } from '#notice/server/compose.ts'

export const feature: Feature = {
  name: 'notice',
  routes,
  streams,
  jobs,
  composers: { reminders: composeReminders },
  archive,
  memberColumns: {
    'notice.member_id': { archive: true, erase: 'delete', merge: 'move' },
    'notice_copy.member_id': { archive: true, erase: 'delete', merge: 'Copies stay with the closed account.' },
    'push_subscription.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'reminder.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'reminder_choice.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'notification_event.actor_id': {
      archive: 'The notifications belong to others.',
      erase: 'The notifications belong to others.',
      merge: 'moment',
    },
    'reminder_mute.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'reminder_stop.member_id': { archive: 'Hashes of links that end e-mails.', erase: 'delete', merge: 'moment' },
    'reminder_waiting.member_id': {
      archive: 'Waiting for the next e-mail; the notifications are there.',
      erase: 'delete',
      merge: 'moment',
    },
    'reminder_waiting.sender_id': { archive: 'Waiting for the next e-mail of somebody else.', erase: 'delete', merge: 'moment' },
    'reminder_way.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  postColumns: {
    'notice.topic_id': 'Notifications stay without the words of the post.',
    'reminder.topic_id': 'delete',
  },
  moments: { membersMerged },
}
