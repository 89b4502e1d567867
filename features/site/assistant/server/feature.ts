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
  postColumns: {
    'assistant_conversation.topic_id': 'The member’s own conversation beside the page, without its words.',
    'generated_text.topic_id': 'moment',
  },
  moments: { membersMerged, postErased },
}
