import type { Feature } from '#base/server/feature.ts'
import { archive } from '#mcp/server/archive-parts.ts'
import { routes } from '#mcp/server/routes.ts'
import * as tokens from '#mcp/server/tokens.ts'

export const feature: Feature = {
  name: 'mcp',
  routes,
  archive,
  credentials: [{ tables: ['personal_access_token'], end: tokens.endAll, list: tokens.lasting }],
  memberColumns: { 'personal_access_token.member_id': { archive: true, erase: 'delete', merge: 'moment' } },
  // A program would read as another member.
  moments: { membersMerging: (tx, { from }) => tokens.endAll(tx, { memberId: from }) },
}
