import type { AiLabelView } from '#ai-label/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { ReasonForm } from '#content/admin/actions.tsx'
import { labelPost } from '#content/label-contract.ts'
import type { Kind } from '#kind/contract.ts'

type LabelDialogProps = { post: { kind: Kind; id: string; aiLabel: AiLabelView }; title: string; close: () => void }

/** The dialog that sets or removes the AI label of a post. */
export function LabelDialog({ post: { kind, id, aiLabel }, title, close }: LabelDialogProps) {
  const words = useWords('contentAdmin')
  const action = words(aiLabel ? 'doUnlabelAi' : 'doLabelAi')
  return (
    <ReasonForm
      title={words('actionOnTopic', { action, title })}
      sends={labelPost}
      along={{ kind, id, isLabelled: aiLabel === null }}
      action={action}
      warning={words(aiLabel ? 'unlabelAiWhat' : 'labelAiWhat')}
      close={close}
    />
  )
}
