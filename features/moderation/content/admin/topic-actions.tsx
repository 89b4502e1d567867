import { useState } from 'react'
import { LogLink } from '#audit/admin/audit.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field } from '#base/web/form.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { DirectAction, ReasonForm } from '#content/admin/actions.tsx'
import { LabelDialog } from '#content/admin/label-dialog.tsx'
import { MergeDialog } from '#content/admin/merge-dialog.tsx'
import { TagChoice, type Places } from '#content/admin/tag-choice.tsx'
import { AudienceChange } from '#content/admin/audience-change.tsx'
import {
  askTopic,
  closeTopic,
  featureTopic,
  moveTopic,
  pinTopic,
  purgeTopic,
  raiseTopic,
  removeTopicAsStaff,
  reopenTopic,
  type restoreTopic,
  sinkTopic,
  tellTopic,
  unfeatureTopic,
  type topicForStaff,
} from '#content/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#content/admin/content.module.css'

type Topic = Output<typeof topicForStaff>
type OpenDialog = 'pin' | 'move' | 'merge' | 'label' | 'remove' | 'purge'
type TopicActionsProps = { topic: Topic; tags: Places; edit: () => void }

/** All actions of staff on a topic: the frequent ones as buttons, the others in a menu. */
export function TopicActions({ topic, tags, edit }: TopicActionsProps) {
  const words = useWords('contentAdmin')
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { id: topicId, state } = topic
  const isGone = state.startsWith('deleted')
  const isWithdrawn = topic.marks.includes('withdrawn')
  return (
    <div className={css.mainActions}>
      {mayDo('content.edit') && !isWithdrawn && <MainButton says={words('edit')} run={edit} />}
      {mayDo('content.remove') && !isGone && <MainButton says={words('doRemove')} run={() => setDialog('remove')} />}
      {mayDo('content.remove') && (isGone || isWithdrawn) && <Restore topicId={topicId} />}
      <Menu label={words('actionsFor', { name: topic.title })}>
        {mayDo('content.edit') && (
          <>
            <MenuButton onClick={() => setDialog('pin')}>{words('doPin')}</MenuButton>
            {topic.pin > 0 && (
              <DirectAction sends={pinTopic} along={{ topicId, pin: 0 }} label={words('doUnpin')} message={words('saved')} />
            )}
            <FlagItems topic={topic} />
            <MenuButton onClick={() => setDialog('label')}>{words(topic.aiLabel ? 'doUnlabelAi' : 'doLabelAi')}</MenuButton>
            <MenuButton onClick={() => setDialog('move')}>{words('doMove')}</MenuButton>
            {state === 'published' && !isWithdrawn && <MenuButton onClick={() => setDialog('merge')}>{words('mergeInto')}</MenuButton>}
          </>
        )}
        <Sanctions memberId={topic.author.id} />
        <LogLink about={`topic ${topicId}`} />
        {mayDo('content.purge') && isGone && (
          <MenuButton danger onClick={() => setDialog('purge')}>
            {words('doPurge')}
          </MenuButton>
        )}
      </Menu>
      {dialog && <ActionDialog asked={dialog} topic={topic} tags={tags} close={() => setDialog(null)} />}
    </div>
  )
}

function MainButton({ says, run }: { says: string; run: () => void }) {
  return (
    <button type="button" className="button quiet" onClick={run}>
      {says}
    </button>
  )
}

function Restore({ topicId }: { topicId: string }) {
  const words = useWords('contentAdmin')
  const restore = useAction<typeof restoreTopic>('/admin/topic/restore')
  return <MainButton says={words('doRestore')} run={() => void restore.run({ topicId }, { message: words('restored') })} />
}

/** Links to the sanctions against an author. */
function Sanctions({ memberId }: { memberId: string }) {
  const words = useWords('contentAdmin')
  return (
    <>
      {mayDo('member.view') && mayDo('member.ban') && (
        <MenuLink to={`/admin/member/view?memberId=${memberId}&tab=bans`}>{words('banAuthor')}</MenuLink>
      )}
      {mayDo('member.clean') && <MenuLink to={`/admin/cleaning?memberId=${memberId}`}>{words('cleanAuthor')}</MenuLink>}
    </>
  )
}

function FlagItems({ topic: { id: topicId, marks } }: { topic: Topic }) {
  const words = useWords('contentAdmin')
  const along = { topicId }
  const done = words('saved')
  const [isFeatured, isSunk, isClosed, asks] = (['featured', 'sunk', 'closed', 'asks'] as const).map((mark) => marks.includes(mark))
  return (
    <>
      <DirectAction
        sends={isFeatured ? unfeatureTopic : featureTopic}
        along={along}
        label={words(isFeatured ? 'doUnfeature' : 'doFeature')}
        message={done}
      />
      <DirectAction sends={isSunk ? raiseTopic : sinkTopic} along={along} label={words(isSunk ? 'doRaise' : 'doSink')} message={done} />
      <DirectAction
        sends={isClosed ? reopenTopic : closeTopic}
        along={along}
        label={words(isClosed ? 'doOpen' : 'doClose', { of: asks ? 'question' : 'topic' })}
        message={done}
      />
      {!marks.includes('withdrawn') && (
        <DirectAction sends={asks ? tellTopic : askTopic} along={along} label={words(asks ? 'doTell' : 'doAsk')} message={done} />
      )}
    </>
  )
}

const dialogTitles: Readonly<Record<Exclude<OpenDialog, 'label'>, string>> = {
  pin: 'doPin',
  move: 'doMove',
  merge: 'doMerge',
  remove: 'doRemove',
  purge: 'doPurge',
}

type ActionDialogProps = { asked: OpenDialog; topic: Topic; tags: Places; close: () => void }

function ActionDialog({ asked, topic, tags, close }: ActionDialogProps) {
  const words = useWords('contentAdmin')
  const along = { topicId: topic.id }
  if (asked === 'label') return <LabelDialog post={{ ...topic, kind: 'topic' }} title={topic.title} close={close} />
  const title = words('actionOnTopic', { action: words(dialogTitles[asked]), title: topic.title })
  if (asked === 'remove')
    return <ReasonForm title={title} sends={removeTopicAsStaff} along={along} action={words('doRemove')} close={close} />
  if (asked === 'purge')
    return (
      <ReasonForm
        title={title}
        sends={purgeTopic}
        along={along}
        action={words('doPurge')}
        warning={words('purgeTopicWhat')}
        close={close}
      />
    )
  if (asked === 'pin')
    return (
      <ReasonForm title={title} sends={pinTopic} along={along} action={words('save')} close={close}>
        <Field
          name="pin"
          type="number"
          min={0}
          max={1_000_000}
          label={words('pinOrder')}
          help={words('pinHelp')}
          defaultValue={topic.pin || 1}
          data-first
        />
      </ReasonForm>
    )
  if (asked === 'merge') return <MergeDialog topics={[topic]} close={close} onDone={close} />
  return <MoveTopic title={title} topic={topic} tags={tags} close={close} />
}

function MoveTopic({ title, topic, tags, close }: Omit<ActionDialogProps, 'asked'> & { title: string }) {
  const words = useWords('contentAdmin')
  const [to, setTo] = useState<Topic['place'] | null>(null)
  return (
    <ReasonForm title={title} sends={moveTopic} along={{ topicId: topic.id }} action={words('doMove')} close={close}>
      <TagChoice tags={tags} label={words('toTag')} isFirst choose={(one) => setTo(one?.place ?? null)} />
      <AudienceChange from={[topic.place]} to={to} />
    </ReasonForm>
  )
}
