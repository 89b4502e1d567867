import { useState } from 'react'
import { LogLink } from '#audit/admin/audit.tsx'
import type { Output } from '#base/contract.ts'
import { Segments } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { SelectBox, type Selection } from '#content/admin/selection.tsx'
import { DirectAction, ReasonForm } from '#content/admin/actions.tsx'
import { LabelDialog } from '#content/admin/label-dialog.tsx'
import { AddRemark, EditRemark } from '#content/admin/post-forms.tsx'
import { AiLabelOf, PostState } from '#content/admin/post-state.tsx'
import { RemarkVersions } from '#content/admin/versions.tsx'
import { adoptAsStaff, purgeRemark, removeRemarkAsStaff, restoreRemark, unadoptAsStaff, type remarksForStaff } from '#content/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { Name } from '#user/web/user.tsx'
import css from '#content/admin/content.module.css'
import type { RemarkKind, ThreadKind } from '#kind/contract.ts'

type Comment = Output<typeof remarksForStaff>['comments'][number]
type Reply = Comment['replies'][number]
type OpenDialog = 'edit' | 'reply' | 'versions' | 'adopt' | 'label' | 'remove' | 'purge'

type CommentProps = { thread: ThreadKind; comment: Comment; highlighted: string | null; choosing: Selection | null }

/** A comment with all its replies, in any state. */
export function CommentPost({ thread, comment, highlighted, choosing }: CommentProps) {
  const words = useWords('contentAdmin')
  const place = words('floorAt', { floor: comment.floor })
  return (
    <>
      {comment.movedTo ? (
        <MovedFloor thread={thread} comment={comment} place={place} to={comment.movedTo} />
      ) : (
        <div className={css.choosable} data-chosen={choosing?.chosen.has(comment.id) || undefined}>
          {choosing && !comment.isPurged && <SelectBox choosing={choosing} id={comment.id} label={words('chooseOne', { place })} />}
          <Remark kind="comment" post={comment} commentId={comment.id} highlighted={highlighted} place={place} />
        </div>
      )}
      {comment.replies.length > 0 && (
        <div className={css.replies}>
          {comment.replies.map((reply) => (
            <Remark key={reply.id} kind="reply" post={reply} commentId={comment.id} highlighted={highlighted} place={words('reply')} />
          ))}
          {comment.replyTotal > comment.replies.length && (
            <p className="meta">{words('moreReplies', { count: comment.replyTotal - comment.replies.length })}</p>
          )}
        </div>
      )}
    </>
  )
}

type MovedFloorProps = { thread: ThreadKind; comment: Comment; place: string; to: NonNullable<Comment['movedTo']> }

/** The floor of a comment that was moved. */
function MovedFloor({ thread, comment, place, to: { topicId, commentId, title } }: MovedFloorProps) {
  const words = useWords('contentAdmin')
  return (
    <p id={`comment-${comment.id}`} className={`meta ${css.post}`}>
      {place} {words(commentId ? 'movedTo' : 'opensTopic', { of: thread, name: comment.author.name })}{' '}
      <Link to={`/admin/topic/view?topicId=${topicId}${commentId ? `&commentId=${commentId}#comment-${commentId}` : ''}`}>{title}</Link>
    </p>
  )
}

type RemarkProps = { kind: RemarkKind; post: Comment | Reply; commentId: string; highlighted: string | null; place: string }

function Remark({ kind, post, commentId, highlighted, place }: RemarkProps) {
  const words = useWords('contentAdmin')
  const [doing, setDoing] = useState<OpenDialog | null>(null)
  const title = words('remarkBy', { place, name: post.author.name })
  return (
    <article
      id={`${kind}-${post.id}`}
      className={css.post}
      data-state={post.state}
      data-sought={highlighted === `${kind} ${post.id}` || undefined}
      aria-label={title}
    >
      <header className={css.by}>
        <span className="meta">{place}</span>
        <Name of={post.author} withRoles={false} />
        <span className="meta">
          <Time at={post.publishedAt} />
          {post.editedBy && post.editedAt && (
            <>
              {' · '}
              {words('editedBy', { name: post.editedBy.name })} <Time at={post.editedAt} />
            </>
          )}
        </span>
        <AiLabelOf label={post.aiLabel} />
        <PostState state={post.state} reason={post.reason} />
        {'isBest' in post && post.isBest && <span className="mark">{words('best')}</span>}
        {post.isPurged ? (
          <span className="mark">{words('purged')}</span>
        ) : (
          (post.editedAt || mayDo('content.edit') || mayDo('content.remove')) && (
            <RemarkMenu kind={kind} post={post} title={title} act={setDoing} />
          )
        )}
      </header>
      <PostText post={post} />
      <OpenedDialog doing={doing} kind={kind} post={post} commentId={commentId} title={title} close={() => setDoing(null)} />
    </article>
  )
}

type OpenedDialogProps = Pick<RemarkProps, 'kind' | 'post' | 'commentId'> & { doing: OpenDialog | null; title: string; close: () => void }

function OpenedDialog({ doing, kind, post, commentId, title, close }: OpenedDialogProps) {
  const words = useWords('contentAdmin')
  const along = { kind, id: post.id }
  const answers = kind === 'reply' ? post.id : undefined
  return (
    <>
      {doing === 'edit' && <EditRemark kind={kind} id={post.id} close={close} />}
      {doing === 'reply' && (
        <AddRemark kind="reply" under={commentId} refersTo={answers} draftKey={`reply to ${commentId} ${answers ?? ''}`} close={close} />
      )}
      {doing === 'versions' && <RemarkVersions kind={kind} id={post.id} title={title} close={close} />}
      {doing === 'adopt' && 'isBest' in post && <AdoptionDialog comment={post} title={title} close={close} />}
      {doing === 'label' && <LabelDialog post={{ ...post, kind }} title={title} close={close} />}
      {doing === 'remove' && (
        <ReasonForm title={title} sends={removeRemarkAsStaff} along={along} action={words('doRemove')} close={close} />
      )}
      {doing === 'purge' && (
        <ReasonForm title={title} sends={purgeRemark} along={along} action={words('doPurge')} warning={words('purgeWhat')} close={close} />
      )}
    </>
  )
}

function PostText({ post }: { post: Comment | Reply }) {
  const words = useWords('contentAdmin')
  const quotes = 'quotes' in post ? post.quotes : null
  return (
    <>
      {quotes && (
        <p className={css.quote}>
          {words('floorAt', { floor: quotes.floor })} <bdi>{quotes.text}</bdi>
        </p>
      )}
      <Segments segments={post.segments} />
    </>
  )
}

type AdoptionDialogProps = { comment: Comment; title: string; close: () => void }

/** A change of the accepted answer moves the bounty, so it needs a reason. */
function AdoptionDialog({ comment: { id: commentId, isBest }, title, close }: AdoptionDialogProps) {
  const words = useWords('contentAdmin')
  const ofMoney = useWords('walletAdmin')
  return (
    <ReasonForm
      title={title}
      sends={isBest ? unadoptAsStaff : adoptAsStaff}
      along={{ commentId }}
      action={words(isBest ? 'doUnadopt' : 'doAdopt')}
      warning={words(isBest ? 'unadoptWhat' : 'adoptWhat')}
      close={close}
      onDone={({ isWaiting }) => {
        close()
        if (isWaiting) toast(ofMoney('asked'))
      }}
    />
  )
}

type RemarkMenuProps = { kind: RemarkKind; post: Comment | Reply; title: string; act: (doing: OpenDialog) => void }

function RemarkMenu({ kind, post, title, act }: RemarkMenuProps) {
  const words = useWords('contentAdmin')
  const isGone = post.state.startsWith('deleted')
  return (
    <Menu label={words('actionsFor', { name: title })}>
      {mayDo('content.edit') && <MenuButton onClick={() => act('edit')}>{words('edit')}</MenuButton>}
      {mayDo('content.edit') && !isGone && <MenuButton onClick={() => act('reply')}>{words('replyAs')}</MenuButton>}
      {post.editedAt && <MenuButton onClick={() => act('versions')}>{words('toVersions')}</MenuButton>}
      {'isBest' in post && !isGone && post.isBest !== null && mayDo('question.adopt') && (
        <MenuButton onClick={() => act('adopt')}>{words(post.isBest ? 'doUnadopt' : 'doAdopt')}</MenuButton>
      )}
      {mayDo('content.edit') && <MenuButton onClick={() => act('label')}>{words(post.aiLabel ? 'doUnlabelAi' : 'doLabelAi')}</MenuButton>}
      <LogLink about={`${kind} ${post.id}`} />
      {mayDo('content.remove') && isGone && (
        <DirectAction sends={restoreRemark} along={{ kind, id: post.id }} label={words('doRestore')} message={words('restored')} />
      )}
      {mayDo('content.remove') && !isGone && (
        <MenuButton danger onClick={() => act('remove')}>
          {words('doRemove')}
        </MenuButton>
      )}
      {mayDo('content.purge') && isGone && (
        <MenuButton danger onClick={() => act('purge')}>
          {words('doPurge')}
        </MenuButton>
      )}
    </Menu>
  )
}
