import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { ActionText, ActorLink } from '#audit/admin/audit.tsx'
import type { Output } from '#base/contract.ts'
import { Segments } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { Place } from '#base/web/places.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { BountySection } from '#bounty/admin/bounty.tsx'
import type { bountyForStaff } from '#bounty/contract.ts'
import type { Places } from '#content/admin/tag-choice.tsx'
import { SelectionBar, useSelection } from '#content/admin/selection.tsx'
import { AddRemark, EditTopic } from '#content/admin/post-forms.tsx'
import { CommentPost } from '#content/admin/remark.tsx'
import { PostscriptAction } from '#content/admin/postscript-action.tsx'
import { AiLabelOf, MarksOf, PostState } from '#content/admin/post-state.tsx'
import { TopicActions } from '#content/admin/topic-actions.tsx'
import { Versions } from '#content/admin/versions.tsx'
import type { remarksForStaff, topicForStaff } from '#content/contract.ts'
import { HiddenParts, UnlockedBy } from '#hidden-part/admin/hidden-part.tsx'
import type { unlocksForStaff } from '#hidden-part/refund-contract.ts'
import { FurtherTags, Postscripts } from '#question/admin/question.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import { useNameOf } from '#tag/web/tag.tsx'
import { Name } from '#user/web/user.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import css from '#content/admin/content.module.css'

type Topic = Output<typeof topicForStaff>
type Remarks = Output<typeof remarksForStaff>
type Bounty = Output<typeof bountyForStaff>['bounty']
type Data = { topic: Topic; remarks: Remarks; tags: Places; bounty: Bounty; unlocks: Output<typeof unlocksForStaff> | null }

declare module '#base/web/places.tsx' {
  interface Places {
    /** Below the text of a topic; its parts are in `topic.parts`. */
    'topic.page': { topic: Topic }
  }
}

export function Page() {
  const words = useWords('contentAdmin')
  const { topic, remarks, tags, bounty, unlocks } = useLoaderData<Data>()
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <p className="meta">
        <Link to="/admin/topic">{words('topics')}</Link>
      </p>
      <div className={css.head}>
        <h1>{topic.title}</h1>
        {(mayDo('content.edit') || mayDo('content.remove')) && <TopicActions topic={topic} tags={tags} edit={() => setEditing(true)} />}
      </div>
      <p className={css.facts}>
        <MarksOf marks={topic.marks} /> <AiLabelOf label={topic.aiLabel} /> <PostState state={topic.state} reason={topic.reason} />
      </p>
      <Facts topic={topic} />
      {bounty && <BountySection topicId={topic.id} bounty={bounty} />}
      {isEditing ? (
        <EditTopic key={`edit ${topic.id}`} topic={topic} close={() => setEditing(false)} />
      ) : (
        topic.segments.length > 0 && (
          <div className={css.post} data-state={topic.state}>
            <Segments segments={topic.segments} />
          </div>
        )
      )}
      <Place name="topic.page" topic={topic} />
      <HiddenParts key={`hidden ${topic.id} ${topic.version}`} topicId={topic.id} {...topic.hiddenParts} />
      <FurtherTags tags={topic.tags} />
      <Postscripts
        of={topic.postscripts}
        renderAction={({ number, removedAt }) => <PostscriptAction topicId={topic.id} number={number} isRemoved={removedAt !== null} />}
      />
      <EarlierVersions versions={topic.versions} />
      <AuditEntries actions={topic.actions} />
      {unlocks && <UnlockedBy topicId={topic.id} of={unlocks} />}
      <UnderTopic key={topic.id} topic={topic} tags={tags} remarks={remarks} />
    </>
  )
}

function Facts({ topic }: { topic: Topic }) {
  const words = useWords('contentAdmin')
  const nameOf = useNameOf()
  return (
    <p className={`meta ${css.facts}`}>
      {mayDo('member.view') ? (
        <Link to={`/admin/member/view?memberId=${topic.author.id}`}>{topic.author.name}</Link>
      ) : (
        <Name of={topic.author} />
      )}
      <span>
        {words('publishedAt')} <Time at={topic.publishedAt} />
      </span>
      {topic.editedBy && topic.editedAt && (
        <span>
          {words('editedBy', { name: topic.editedBy.name })} <Time at={topic.editedAt} />
        </span>
      )}
      <span>
        {words('tag')} <bdi>{nameOf(topic.place.name)}</bdi>
      </span>
      <span>
        {words('commentsAndReplies', { of: threadOf(topic) })} {topic.commentCount}
      </span>
      <span>
        {words('views')} {topic.viewCount}
      </span>
      {topic.state === 'published' && <a href={threadPath(topic.id, threadOf(topic))}>{words('inForum')}</a>}
    </p>
  )
}

function EarlierVersions({ versions }: { versions: Topic['versions'] }) {
  const words = useWords('contentAdmin')
  if (versions.length === 0) return null
  return (
    <details>
      <summary>{words('versions', { count: versions.length })}</summary>
      <Versions kind="topic" versions={versions} />
    </details>
  )
}

function AuditEntries({ actions }: { actions: Topic['actions'] }) {
  const words = useWords('contentAdmin')
  if (actions.length === 0) return null
  return (
    <details>
      <summary>{words('actionsDone', { count: actions.length })}</summary>
      <ul className={css.left}>
        {actions.map(({ id, at, account, by, action, reason }) => (
          <li key={id}>
            <Time at={at} /> <ActorLink account={account} by={by} /> <ActionText action={action} /> <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

function threadOf({ marks }: Topic): ThreadKind {
  return marks.includes('asks') ? 'question' : 'topic'
}

type UnderTopicProps = { topic: Topic; tags: Places; remarks: Remarks }

function UnderTopic({ topic, tags, remarks }: UnderTopicProps) {
  const words = useWords('contentAdmin')
  const [query] = useSearchParams()
  const [isWriting, setWriting] = useState(false)
  const choosing = useSelection()
  const [commentId, replyId] = [query.get('commentId'), query.get('replyId')]
  const highlighted = replyId ? `reply ${replyId}` : commentId && `comment ${commentId}`
  const mayWrite = mayDo('content.edit') && topic.state === 'published' && !isWriting
  return (
    <section>
      <div className={css.head}>
        <h2>{words('under', { count: remarks.total })}</h2>
        <p className={css.actions}>
          {mayDo('content.edit') && remarks.total > 0 && (
            <button type="button" className="button quiet" aria-pressed={choosing.isOn} onClick={choosing.turn}>
              {words('chooseComments', { of: threadOf(topic) })}
            </button>
          )}
          {mayWrite && (
            <button type="button" className="button quiet" onClick={() => setWriting(true)}>
              {words('commentAs', { of: threadOf(topic) })}
            </button>
          )}
        </p>
      </div>
      {isWriting && (
        <AddRemark
          kind="comment"
          thread={threadOf(topic)}
          under={topic.id}
          draftKey={`comment on ${topic.id}`}
          close={() => setWriting(false)}
        />
      )}
      {choosing.isOn && <SelectionBar topic={{ ...topic, kind: threadOf(topic) }} tags={tags} choosing={choosing} />}
      {remarks.total === 0 && <Empty>{words('noComments', { of: threadOf(topic) })}</Empty>}
      {remarks.comments.map((comment) => (
        <CommentPost
          key={comment.id}
          thread={threadOf(topic)}
          comment={comment}
          highlighted={highlighted}
          choosing={choosing.isOn ? choosing : null}
        />
      ))}
      <RemarkPages topicId={topic.id} page={remarks.page} pages={remarks.pages} />
    </section>
  )
}

function RemarkPages({ topicId, page, pages }: { topicId: string; page: number; pages: number }) {
  const words = useWords('admin')
  if (pages === 1) return null
  const at = (number: number) => `/admin/topic/view?topicId=${topicId}&page=${number}`
  return (
    <nav aria-label={words('pages')} className={css.facts}>
      {page > 1 && <Link to={at(page - 1)}>{words('previous')}</Link>}
      <span>
        {page} / {pages}
      </span>
      {page < pages && <Link to={at(page + 1)}>{words('next')}</Link>}
    </nav>
  )
}
