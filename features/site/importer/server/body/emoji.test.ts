import { expect, test } from 'vitest'
import { emojiOf } from '#importer/server/body/emoji.ts'

const ofPhpbb = [
  ':D :-D :grin: ;) ;-) :wink: :) :-) :smile: :( :-( :sad: :o :-o :eek: :shock:',
  ':? :-? :???: 8-) :cool: :lol: :x :-x :mad: :P :-P :razz: :oops: :cry:',
  ':evil: :twisted: :roll: :!: :?: :idea: :arrow: :| :-| :mrgreen: :geek: :ugeek:',
]

test('every default smiley of phpBB has an emoji', () => {
  const codes = ofPhpbb.flatMap((line) => line.split(' '))
  expect(codes.filter((code) => !/\p{Extended_Pictographic}/u.test(emojiOf(code) ?? ''))).toEqual([])
})

test('a code of another kind has none', () => {
  expect([':house:', '', 'constructor', '8)'].map(emojiOf)).toEqual([null, null, null, null])
})
