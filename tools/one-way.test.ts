import { expect, test } from 'vitest'
import { complaintsOf } from './run-linter.ts'

type Case = [file: string, source: string]

const allowed: Case[] = [
  ['features/threads/comment/server/comment.ts', `import { topic } from '#topic/server/topic.ts'`],
  ['features/threads/comment/server/list.ts', `import { find } from '#comment/server/find.ts'`],
  ['features/threads/comment/server/may.ts', `import { find } from './find.ts'`],
  ['features/threads/comment/server/show.ts', `import type { TopicView } from '#topic/contract.ts'`],
  ['features/threads/comment/server/db.ts', `import type { Tables } from '#database/tables.ts'`],
  ['features/threads/comment/server/hash.ts', `import { createHash } from 'node:crypto'`],
  ['features/threads/comment/contract.ts', `import { TopicView } from '#topic/contract.ts'\nimport { z } from 'zod'`],
  [
    'features/threads/comment/web/comment.tsx',
    `import { TopicCard } from '#topic/web/topic.tsx'\nimport { Form } from '#base/web/form.tsx'`,
  ],
  ['features/lists/settings.ts', `import { settings as topic } from '#topic/settings.ts'`],
  [
    'features/foundation/setting/all-settings.ts',
    `import { byFeature } from '#features/lists/settings.ts'\nimport { groups } from './groups.ts'`,
  ],
  ['features/threads/topic/settings.ts', `import { z } from 'zod'\nimport { plainString } from '#base/plain-text.ts'`],
  ['features/lists/notification-kinds.ts', `import { notificationKinds as comment } from '#comment/notification-kinds.ts'`],
  ['features/threads/comment/server/rights.ts', `import { tagRights } from '#role/all-rights.ts'`],
  ['database/rights.ts', `import { tagRights } from '#role/all-rights.ts'`],
  ['features/lists/member-rights.ts', `import { memberRights as comment } from '#comment/member-rights.ts'`],
  ['apps/server/lists/features.ts', `import { feature as comment } from '#comment/server/feature.ts'`],
  ['features/threads/comment/web/words.ts', `import words from '#topic/words/en.json'`],
  ['features/threads/comment/admin/comments-page.tsx', `import { Name } from '#user/web/user.tsx'`],
  [
    'features/threads/topic/server/late.test.ts',
    `import { openApp } from '#apps/server/app.ts'\nimport { aForum } from '#base/testing/forum.ts'`,
  ],
  [
    'features/threads/comment/server/post.test.ts',
    `import { aTopic } from '#topic/testing/factories.ts'\nimport { Page } from '#comment/web/page.tsx'`,
  ],
  [
    'features/threads/comment/testing/factories.ts',
    `import { aTopic } from '#topic/testing/factories.ts'\nimport { Visitor } from '#base/testing/visitor.ts'`,
  ],
  [
    'features/threads/topic/server/up.test.ts',
    `import { aComment } from '#comment/testing/factories.ts'\nimport { find } from '#comment/server/find.ts'`,
  ],
  ['features/threads/comment/testing/censor.ts', `import { serve } from '#base/testing/fake-server.ts'`],
  ['base/server/http/http.test.ts', `import { openApp } from '#apps/server/app.ts'\nimport { register } from '#account/contract.ts'`],
  ['base/testing/forum.ts', `import { openApp } from '#apps/server/app.ts'\nimport { register } from '#account/contract.ts'`],
  ['base/server/pool.ts', `import { migrate } from '#database/migrate.ts'`],
  ['apps/server/app.ts', `import { routes } from '#comment/server/routes.ts'\nimport * as topic from '#topic/server/topic.ts'`],
  ['apps/server/commands/staff.ts', `import { add } from '#staff/server/staff.ts'`],
  ['apps/web/screens/home.ts', `const page = () => import('#comment/web/comment-list-page.tsx')`],
  ['apps/server/frontend.ts', `export type Program = typeof import('#apps/web/server.tsx')`],
  ['apps/web/words-plugin.ts', `import { readFileSync } from 'node:fs'`],
  ['apps/web/building/needed-by.ts', `import { readFileSync } from 'node:fs'`],
  ['database/seed.ts', `import { aTopic } from '#topic/testing/factories.ts'`],
  ['features/threads/comment/manifest.ts', `import type { Manifest } from '#base/manifest.ts'`],
  ['features/lists/manifests.ts', `import { manifest as comment } from '#comment/manifest.ts'`],
  ['features/posts/bounty/thread-part.ts', `import { z } from 'zod'\nimport type { ThreadPart } from '#base/thread-part.ts'`],
  ['features/lists/thread-parts.ts', `import { part as bounty } from '#bounty/thread-part.ts'`],
  ['features/posts/post/parts-contract.ts', `import { byFeature } from '#features/lists/post-parts.ts'`],
  ['features/threads/topic/contract.ts', `import { byFeature } from '#features/lists/thread-parts.ts'`],
  ['features/foundation/audit/actions.ts', `import { byFeature } from '#features/lists/manifests.ts'`],
  ['features/threads/comment/admin/comments-page.tsx', `import { byFeature } from '#features/lists/manifests.ts'`],
  ['features/threads/comment/web/comment.tsx', `import type { byFeature } from '#features/lists/manifests.ts'`],
  ['e2e/post.spec.ts', `import { find } from '#comment/server/find.ts'`],
]

const refused: [...Case, why: string][] = [
  ['features/threads/topic/server/up.ts', `import { post } from '#comment/server/comment.ts'`, 'topic stands above comment'],
  ['features/threads/topic/server/up-type.ts', `import type { CommentView } from '#comment/contract.ts'`, 'topic stands above comment'],
  ['features/threads/topic/server/up-lazily.ts', `const later = import('#comment/server/comment.ts')`, 'topic stands above comment'],
  ['features/threads/topic/server/up-again.ts', `export { post } from '#comment/server/comment.ts'`, 'topic stands above comment'],
  ['features/threads/topic/server/up-all.ts', `export * from '#comment/contract.ts'`, 'topic stands above comment'],
  ['features/threads/topic/server/up-in-a-type.ts', `type View = import('#comment/contract.ts').View`, 'topic stands above comment'],
  ['features/threads/topic/server/up-beside.ts', `import { post } from '../../comment/server/comment.ts'`, 'topic stands above comment'],
  ['features/threads/topic/settings.ts', `import { kinds } from '#kind/contract.ts'`, 'imports only #base/ and zod'],
  ['features/threads/topic/settings.ts', `import { limits } from './limits.ts'`, 'imports only #base/ and zod'],
  ['features/threads/comment/server/settings-of-another.ts', `import { settings } from '#topic/settings.ts'`, 'is inside topic'],
  ['features/threads/comment/member-rights.ts', `import { kinds } from '#kind/contract.ts'`, 'imports only #base/'],
  ['features/threads/comment/server/rights.ts', `import { memberRights } from '#topic/member-rights.ts'`, 'is inside topic'],
  ['features/threads/comment/notification-kinds.ts', `import { kinds } from '#kind/contract.ts'`, 'imports only #base/'],
  [
    'features/accounts/notification/all-kinds.ts',
    `import { notificationKinds } from '#follow/notification-kinds.ts'`,
    'stands above follow',
  ],
  ['features/foundation/setting/server/up.ts', `import { find } from '#topic/server/topic.ts'`, 'setting stands above topic'],
  ['features/threads/comment/server/computed.ts', `const name = 'x'\nconst later = import(name)`, 'hides where it leads'],
  ['features/threads/comment/server/app.ts', `import { openApp } from '#apps/server/app.ts'`, 'Only apps import apps'],
  ['base/server/feature.ts', `import { View } from '#topic/contract.ts'`, 'Base knows no feature'],
  ['base/web/app.ts', `import { loaderContext } from '#apps/web/loader-context.ts'`, 'Only apps import apps'],
  ['base/web/tables.ts', `import type { Tables } from '#database/tables.ts'`, 'Browser and server'],
  ['features/threads/comment/server/seed.ts', `import { seed } from '#database/seed.ts'`, 'only tables.ts and migrate.ts'],
  ['features/threads/comment/server/inside.ts', `import { unlock } from '#topic/server/unlock.ts'`, 'is inside topic'],
  ['features/threads/comment/web/inside.tsx', `import { Page } from '#topic/web/add-topic-page.tsx'`, 'is inside topic'],
  ['features/threads/comment/server/routes.ts', `import { routes } from '#topic/server/routes.ts'`, 'is inside topic'],
  ['features/threads/comment/web/inside.tsx', `import { Fold } from '#topic/web/fold.tsx'`, 'is inside topic'],
  ['features/threads/comment/server/uses-example.ts', `import { aTopic } from '#topic/testing/factories.ts'`, 'tests and the seed'],
  ['features/threads/comment/server/uses-one.ts', `import { aComment } from '#comment/testing/factories.ts'`, 'tests and the seed'],
  ['features/threads/comment/server/uses-kit.ts', `import { aForum } from '#base/testing/forum.ts'`, 'is for tests'],
  ['features/threads/comment/server/uses-tool.ts', `import { browser } from '../../../../tools/browser.ts'`, 'only builds or tests'],
  ['features/threads/comment/web/server.tsx', `import { post } from '#comment/server/comment.ts'`, 'Browser and server'],
  ['features/threads/comment/web/server-type.tsx', `import type { Comment } from '#comment/server/comment.ts'`, 'Browser and server'],
  ['features/threads/comment/server/page.ts', `import { Card } from '#comment/web/comment.tsx'`, 'Browser and server'],
  ['features/threads/comment/admin/server.tsx', `import { log } from '#base/server/log.ts'`, 'Browser and server'],
  ['apps/server/page.ts', `import { render } from '#apps/web/server.tsx'`, 'Browser and server'],
  ['apps/server/frontend.ts', `import { render } from '#apps/web/server.tsx'`, 'Browser and server'],
  ['features/threads/comment/contract.ts', `import { find } from '#comment/server/find.ts'`, 'runs on both sides'],
  ['base/cursor.ts', `import { toast } from '#base/web/toast.tsx'`, 'runs on both sides'],
  ['features/threads/comment/web/disk.tsx', `import { readFileSync } from 'node:fs'`, 'is for the server'],
  ['base/cursor.ts', `import { sql } from 'kysely'`, 'is for the server'],
  ['features/threads/comment/server/react.ts', `import { useState } from 'react'`, 'is for the browser'],
  ['features/gossip/server/gossip.ts', `import { z } from '#base/contract.ts'`, 'does not stand in features/order.js'],
  ['apps/server/gossip.ts', `import { talk } from '#gossip/server/gossip.ts'`, 'does not stand in features/order.js'],
  ['features/threads/comment/manifest.ts', `import { z } from 'zod'`, 'imports only #base/'],
  ['features/threads/comment/manifest.ts', `import { kinds } from '#kind/contract.ts'`, 'imports only #base/'],
  ['features/threads/comment/manifest.ts', `import { limit } from './contract.ts'`, 'imports only #base/'],
  ['features/threads/comment/manifest.ts', `import { byFeature } from '#features/lists/manifests.ts'`, 'knows no other one'],
  ['features/threads/comment/server/other.ts', `import { manifest } from '#topic/manifest.ts'`, 'is inside topic'],
  ['features/posts/bounty/thread-part.ts', `import { OfferView } from './contract.ts'`, 'imports only #base/ and zod'],
  ['features/posts/bounty/thread-part.ts', `import { sql } from 'kysely'`, 'imports only #base/ and zod'],
  ['features/community/like/post-part.ts', `import { kinds } from '#kind/contract.ts'`, 'imports only #base/ and zod'],
  ['features/posts/bounty/thread-part.ts', `import { byFeature } from '#features/lists/thread-parts.ts'`, 'knows no other one'],
  ['features/threads/topic/contract.ts', `import { part as bounty } from '#bounty/thread-part.ts'`, 'is inside bounty'],
  ['features/threads/comment/web/comment.tsx', `import { byFeature } from '#features/lists/manifests.ts'`, 'declared for staff'],
  ['apps/web/layout.tsx', `import { byFeature } from '#features/lists/manifests.ts'`, 'declared for staff'],
  ['features/lists/manifests.ts', `import { TopicView } from '#topic/contract.ts'`, 'Base knows no feature'],
]

test('imports that go down, through doors and on one side are let through', () => {
  const complaints = complaintsOf('teahouse/one-way', allowed)
  expect(allowed.filter((_, number) => complaints[number]?.length)).toEqual([])
})

test('imports that go up, past a public API or to the other side are refused, each for its reason', () => {
  const complaints = complaintsOf('teahouse/one-way', refused)
  for (const [number, [file, source, why]] of refused.entries()) {
    expect(complaints[number]?.join('\n') ?? '', `${file}: ${source}`).toContain(why)
  }
})
