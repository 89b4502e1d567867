import type { ThreadKind } from '#kind/contract.ts'
import type { TopicLinkView } from '#topic/contract.ts'

export const linkColumns = ['topic.id', 'topic.kind', 'topic.title', 'topic.view_count', 'topic.comment_count'] as const

type TopicLinkRow = { id: string; kind: ThreadKind; title: string; view_count: string; comment_count: number }

export function linkView(row: TopicLinkRow): TopicLinkView {
  return { id: row.id, kind: row.kind, title: row.title, viewCount: Number(row.view_count), commentCount: row.comment_count }
}
