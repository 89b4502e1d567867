import type { AiLabelView } from '#ai-label/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { Reasoned } from '#content/admin/deeds.tsx'
import { labelPost } from '#content/label-contract.ts'
import type { Kind } from '#kind/contract.ts'

type LabellingProps = { post: { kind: Kind; id: string; aiLabel: AiLabelView }; title: string; close: () => void }

/** The dialog that sets or removes the AI label of a post. */
export function Labelling({ post: { kind, id, aiLabel }, title, close }: LabellingProps) {
  const words = useWords('contentAdmin')
  const deed = words(aiLabel ? 'doUnlabelAi' : 'doLabelAi')
  return (
    <Reasoned
      title={words('deedOnTopic', { deed, title })}
      sends={labelPost}
      along={{ kind, id, isLabelled: aiLabel === null }}
      deed={deed}
      warning={words(aiLabel ? 'unlabelAiWhat' : 'labelAiWhat')}
      close={close}
    />
  )
}
