import type { Feature } from '#base/server/feature.ts'
import { leave } from '#message/server/leave.ts'
import { membersMerged } from '#message/server/message.ts'
import { archive } from '#message/server/archive-parts.ts'
import { routes } from '#message/server/routes.ts'

export const feature: Feature = {
  name: 'message',
  routes,
  archive,
  memberColumns: {
    'message.high_id': { archive: true, erase: 'The other member keeps their copy.', merge: 'moment' },
    'message.low_id': { archive: true, erase: 'The other member keeps their copy.', merge: 'moment' },
    'message_report.author_id': { archive: 'The reported member is not told by whom.', erase: 'A decision of staff.', merge: 'moment' },
    'message_report.reporter_id': { archive: true, erase: 'A decision of staff.', merge: 'moment' },
    'message_report_copy.reporter_id': { archive: 'A copy of messages that are there.', erase: 'A decision of staff.', merge: 'moment' },
    'message_setting.member_id': { archive: true, erase: 'moment', merge: 'moment' },
    'conversation_participant.member_id': { archive: true, erase: 'moment', merge: 'moment' },
    'conversation_participant.other_id': {
      archive: 'The other member’s view of the conversation.',
      erase: 'The other member keeps their conversation.',
      merge: 'moment',
    },
    'welcome_message.member_id': {
      archive: 'The greeting of the forum to newcomers.',
      erase: 'Belongs to the forum.',
      merge: 'Belongs to the forum.',
    },
  },
  postReferences: {
    'welcome.topic_id': { erased: { stays: 'The topic that greets newcomers.' }, merged: { stays: 'The old address leads on.' } },
  },
  moments: { membersMerged, memberErased: (tx, { memberId }) => leave(tx, memberId) },
}
