import type { Feature } from '#base/server/feature.ts'
import { membersMerged, postBecame } from '#notification/server/notify.ts'
import { archive } from '#notification/server/archive-parts.ts'
import { jobs } from '#notification/server/jobs.ts'
import { routes, streams } from '#notification/server/routes.ts'
import { composeNotifications } from '#notification/server/compose.ts'

export const feature: Feature = {
  name: 'notification',
  routes,
  streams,
  jobs,
  composers: { notifications: composeNotifications },
  archive,
  credentials: [
    { tables: ['push_subscription'], stays: 'A trigger deletes it with its session.' },
    {
      tables: ['unsubscribe_token'],
      stays: 'It ends e-mails, and shows and does nothing else. Every e-mail that was sent keeps its link.',
    },
  ],
  memberColumns: {
    'notice.member_id': { archive: true, erase: 'delete', merge: 'move' },
    'notice_copy.member_id': { archive: true, erase: 'delete', merge: 'Copies stay with the closed account.' },
    'push_subscription.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'notification.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'notification_preference.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'notification_event.actor_id': {
      archive: 'The notifications belong to others.',
      erase: 'The notifications belong to others.',
      merge: 'moment',
    },
    'notification_mute.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'unsubscribe_token.member_id': { archive: 'Hashes of links that end e-mails.', erase: 'delete', merge: 'moment' },
    'notification_queue.member_id': {
      archive: 'Waiting for the next e-mail; the notifications are there.',
      erase: 'delete',
      merge: 'moment',
    },
    'notification_queue.sender_id': { archive: 'Waiting for the next e-mail of somebody else.', erase: 'delete', merge: 'moment' },
    'notification_channel.member_id': { archive: true, erase: 'delete', merge: 'moment' },
  },
  postReferences: {
    'notice.topic_id': { erased: { blanks: ['facts'] }, merged: { stays: 'The old address leads on.' } },
    'notice.facts': { erased: { blanks: ['facts'] } },
    'notification.topic_id': { erased: 'call', merged: { stays: 'They move with each of its posts.' } },
    'notification_event.post_id': { erased: 'call', became: 'moves' },
  },
  moments: { membersMerged, postBecame },
}
