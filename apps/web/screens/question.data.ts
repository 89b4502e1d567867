import type { Output } from '#base/contract.ts'
import { idIn, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import { headOfThread, loadThread, threadParameters, type ThreadData } from '#apps/web/screens/thread.data.ts'
import type { bountyForm } from '#bounty/contract.ts'
import type { myQuestion, question as questionCall } from '#question/contract.ts'

export type QuestionData = ThreadData & {
  question: Output<typeof questionCall>
  /** Null for visitors. */
  own: Output<typeof myQuestion> | null
  /** The form to raise the bounty, for its author. */
  offering: Output<typeof bountyForm> | null
}

async function load(args: LoaderArgs): Promise<QuestionData> {
  const { api, url, isMember } = args
  const questionId = idIn(url.searchParams, 'questionId') ?? ''
  const thread = await loadThread(args)
  const [details, own] = await Promise.all([
    api.read<typeof questionCall>('/question', { questionId }, { shared: true, silent: true }),
    isMember ? api.read<typeof myQuestion>('/question/mine', { questionId }, { silent: true }) : null,
  ])
  const offering = own?.mayRaise ? await api.read<typeof bountyForm>('/bounty/form', {}, { silent: true }) : null
  return { ...thread, question: details, own, offering }
}

export const question: Screen = {
  path: '/question',
  file: '/apps/web/screens/question.tsx',
  load,
  head: headOfThread,
  isPublic: true,
  parameters: ['questionId', ...threadParameters],
}
