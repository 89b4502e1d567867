import { useEffect, useState } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, useForm } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { editPoll, type PollStateView } from '#poll/contract.ts'
import { OptionList, writtenOption } from '#poll/web/option-list.tsx'

type Props = { topicId: string; poll: PollStateView; edited: () => Promise<void>; close: () => void }

/** The author's form to add, rename, remove and reorder options. */
export function EditDialog({ topicId, poll, edited, close }: Props) {
  const words = useWords('poll')

  async function saved(): Promise<void> {
    await edited()
    toast(words('saved'))
  }

  return (
    <Dialog title={words('edit')} isOpen close={close}>
      <Form endpoint={editPoll} extra={{ topicId }} onSuccess={saved}>
        <p className="help">{words('editHelp')}</p>
        <EditedOptions poll={poll} />
        <p className="actions">
          <Submit>{words('save')}</Submit>
        </p>
      </Form>
    </Dialog>
  )
}

function EditedOptions({ poll }: Pick<Props, 'poll'>) {
  const { setValue } = useForm()
  const [options, set] = useState(() => poll.options.map(({ id, label }) => writtenOption(label, { id, isFixed: hasVotes(poll, id) })))
  useEffect(() => {
    const written = options.filter(({ label }) => label.trim() !== '')
    setValue(
      'options',
      written.map(({ id, label }) => ({ label, ...(id && { id }) })),
    )
  }, [setValue, options])
  return (
    <OptionList
      name="options"
      options={options}
      set={(changed) => set([...changed])}
      most={Math.max(poll.maxOptions, poll.options.length)}
    />
  )
}

/** False where the results are hidden from the author, too: then the server alone can refuse. */
function hasVotes({ results }: PollStateView, id: string): boolean {
  return results?.votes.some(({ optionId, count }) => optionId === id && count > 0) ?? false
}
