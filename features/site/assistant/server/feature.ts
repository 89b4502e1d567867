import type { Feature } from '#base/server/feature.ts'
import { membersMerged, postErased } from '#assistant/server/moments.ts'
import { archive } from '#assistant/server/archive-parts.ts'
import { jobs } from '#assistant/server/jobs.ts'
import { routes } from '#assistant/server/routes.ts'
import { settingChecks } from '#assistant/server/setting-checks.ts'

export const feature: Feature = {
  name: 'assistant',
  routes,
  settingChecks,
  jobs,
  archive,
  memberColumns: {
    'assistant_conversation.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'assistant_report.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'assistant_report_copy.member_id': { archive: true, erase: 'delete', merge: 'moment' },
    'assistant_usage.member_id': { archive: true, erase: 'The cost of an answer, which the budget counts.', merge: 'moment' },
  },
  postReferences: {
    'assistant_conversation.topic_id': {
      erased: { stays: 'The member’s own conversation beside the page, without its words.' },
      merged: { stays: 'It stays beside the page on which it began.' },
    },
    'assistant_turn.sources': { erased: { stays: 'What an answer to one member rested on; it goes with the conversation.' } },
    'assistant_report_copy.turns': { erased: { stays: 'A reported answer, until the report is decided.' } },
    'generated_text.topic_id': { erased: 'moment', merged: { stays: 'The text of a closed thread, which nobody is shown.' } },
  },
  moments: { membersMerged, postErased },
}
