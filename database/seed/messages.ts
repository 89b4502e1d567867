import { randomUUID } from 'node:crypto'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { People } from '#database/seed/document.ts'
import { required } from '#database/seed/required.ts'
import { speaker } from '#database/seed/post.ts'
import * as message from '#message/server/message.ts'

// Sender, receiver, hours ago, and text. The last is an unanswered request.
const written: readonly (readonly [from: string, to: string, hoursAgo: number, text: string])[] = [
  ['laochen', 'moshu', 74, '墨书，上次你说的那只紫砂壶还在吗？'],
  ['moshu', 'laochen', 73, '在的，养了半年，泡普洱正好。'],
  ['laochen', 'moshu', 73, '那周末我带两饼老茶头过去，一起试试。'],
  ['moshu', 'laochen', 72, '好，下午三点，老地方。'],
  ['maya_r', 'hana_s', 50, 'Your notes on **gyokuro** were the best thing I read this week. How cool do you let the water get?'],
  ['hana_s', 'maya_r', 49, 'Thank you! Fifty degrees, sometimes less. It feels wrong until you taste it.'],
  ['maya_r', 'hana_s', 48, 'I will try tomorrow morning and report back.'],
  ['linxi_dev', 'priya_codes', 30, 'Saw your question on keyboards. I have a spare one in the drawer if you want to try it.'],
  ['priya_codes', 'linxi_dev', 29, 'Really? I would love to. Is it loud?'],
  ['qingtuan', 'yecha', 9, '你好，看到你写的野茶，想请教一下哪里能买到小份的？'],
]

const welcome = `欢迎来到茶馆。想说点什么，直接回复这条私信就好，我们会看到。

Welcome to the teahouse. If there is anything you would like to say, just answer this message: we read it.`

/** Some sample members write to each other, and the forum has a welcome message. */
export async function write(tx: Db, people: People, now: Date): Promise<void> {
  for (const [from, to, hoursAgo, text] of written) {
    const draft = { userId: required(people, to).id, body: documentOf(text), key: randomUUID() }
    await message.send(tx, speaker(people, from), draft, { at: new Date(now.getTime() - hoursAgo * 3_600_000) })
  }
  await message.welcome(tx, documentOf(welcome))
}

function documentOf(text: string): Doc {
  return fromMarkdown(text, { picture: () => null, mention: () => null })
}
