import type { AiLabelView } from '#ai-label/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { ReasonForm } from '#content/admin/deeds.tsx'
import { labelPost } from '#content/label-contract.ts'
import type { Kind } from '#kind/contract.ts'

type LabelDialogProps = { post: { kind: Kind; id: string; aiLabel: AiLabelView }; title: string; close: () => void }

/** The dialog that sets or removes the AI label of a post. */
export function LabelDialog({ post: { kind, id, aiLabel }, title, close }: LabelDialogProps) {
  const words = useWords('contentAdmin')
  const deed = words(aiLabel ? 'doUnlabelAi' : 'doLabelAi')
  return (
    <ReasonForm
      title={words('deedOnTopic', { deed, title })}
      sends={labelPost}
      along={{ kind, id, isLabelled: aiLabel === null }}
      deed={deed}
      warning={words(aiLabel ? 'unlabelAiWhat' : 'labelAiWhat')}
      close={close}
    />
  )
}
