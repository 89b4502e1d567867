import { useState, type MouseEvent } from 'react'
import { useLoaderData } from 'react-router'
import { AddOrEdit, type EditFormProps } from '#base/admin/manage.tsx'
import type { RawInput, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { SelectField, Field } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { units } from '#membership/contract.ts'
import {
  addGiftTask,
  editGiftTask,
  giftKinds,
  maxDuration,
  type giftTasks,
  type GiftTaskView,
  type previewGiftTask,
} from '#membership/gift-contract.ts'
import css from '#membership/admin/gifts.module.css'

export function GiftForm({ item: task, onDone }: EditFormProps<GiftTaskView>) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { roles } = useLoaderData<Output<typeof giftTasks>>()
  return (
    <AddOrEdit
      addEndpoint={addGiftTask}
      editEndpoint={editGiftTask}
      editedId={task && { taskId: task.id, version: task.version }}
      onDone={onDone}
    >
      {task?.state === 'finished' && <p className="note">{words('giftFinishedHelp')}</p>}
      <Field
        name="name"
        label={words('giftName')}
        help={words('giftNameHelp')}
        defaultValue={task?.name}
        maxLength={60}
        required
        data-first
      />
      <SelectField name="roleId" label={words('giftRole')} defaultValue={task?.role?.id ?? ''} required>
        {!task?.role && <option value="">{words('giftChooseRole')}</option>}
        {roles.map(({ id, name }) => (
          <option key={id} value={id}>
            {name[language]}
          </option>
        ))}
      </SelectField>
      <Length task={task} />
      <SelectField name="kind" label={words('giftKind')} defaultValue={task?.kind ?? 'continuous'}>
        {giftKinds.map((kind) => (
          <option key={kind} value={kind}>
            {words(`gift${kind}`)}
          </option>
        ))}
      </SelectField>
      <Terms task={task} />
      <Field
        name="isEnabled"
        type="checkbox"
        label={words('giftEnabled')}
        help={words('giftEnabledHelp')}
        defaultChecked={task?.isEnabled ?? false}
      />
      <Preview taskId={task?.id} />
    </AddOrEdit>
  )
}

function Length({ task }: { task: GiftTaskView | null }) {
  const words = useWords('membershipAdmin')
  return (
    <div className={css.pair}>
      <Field
        name="duration"
        type="number"
        label={words('giftDuration')}
        defaultValue={task?.duration ?? 30}
        min={1}
        max={maxDuration}
        required
      />
      <SelectField name="unit" label={words('giftUnit')} defaultValue={task?.unit ?? 'day'}>
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {words(`unit${unit}`)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

/** The conditions for the receivers, and the days of the task. */
function Terms({ task }: { task: GiftTaskView | null }) {
  const words = useWords('membershipAdmin')
  const { timeZone: zone } = useLoaderData<Output<typeof giftTasks>>()
  const days = { type: 'date', help: words('giftDaysHelp', { zone }) }
  return (
    <>
      <div className={css.pair}>
        <Field name="registeredFrom" label={words('giftRegisteredFrom')} defaultValue={task?.registeredFrom ?? ''} {...days} />
        <Field name="registeredBefore" label={words('giftRegisteredBefore')} defaultValue={task?.registeredBefore ?? ''} type="date" />
      </div>
      <Field name="minPoints" type="number" label={words('giftMinPoints')} defaultValue={task?.minPoints ?? ''} min={0} />
      <div className={css.pair}>
        <Field name="startsOn" label={words('giftStartsOn')} defaultValue={task?.startsOn ?? ''} {...days} />
        <Field name="endsOn" label={words('giftEndsOn')} defaultValue={task?.endsOn ?? ''} type="date" />
      </div>
    </>
  )
}

const previewFields = ['roleId', 'registeredFrom', 'registeredBefore', 'minPoints'] as const

/** A dry run of the conditions in the form. */
function Preview({ taskId }: { taskId: string | undefined }) {
  const words = useWords('membershipAdmin')
  const api = useApi()
  const [seen, see] = useState<Output<typeof previewGiftTask> | null>(null)

  async function look({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const fields = new FormData(form ?? undefined)
    const terms = previewFields.flatMap((name) =>
      fields.get(name) ? [[name, name === 'minPoints' ? Number(fields.get(name)) : fields.get(name)]] : [],
    )
    const input = { ...Object.fromEntries(terms), ...(taskId && { taskId }) } as RawInput<typeof previewGiftTask>
    try {
      see(await api.read<typeof previewGiftTask>('/admin/giftTask/preview', input))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      toast(error.message)
    }
  }

  return (
    <div className={css.preview}>
      <button type="button" className="button quiet" onClick={(event) => void look(event)}>
        {words('giftPreview')}
      </button>
      <div role="status">
        {seen && (
          <>
            <p>
              {words('giftWould', { count: seen.count })} {seen.forGood > 0 && words('giftForGood', { count: seen.forGood })}
            </p>
            <ul>
              {seen.members.map(({ id, name, isForGood }) => (
                <li key={id}>
                  <bdi>{name}</bdi> {isForGood && <span className="meta">{words('giftSkipped')}</span>}
                </li>
              ))}
              {seen.count > seen.members.length && (
                <li className="meta">{words('giftMore', { count: seen.count - seen.members.length })}</li>
              )}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
