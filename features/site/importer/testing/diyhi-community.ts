import {
  diyhiAnswer,
  diyhiComment,
  diyhiMessage,
  diyhiQuestion,
  diyhiReply,
  diyhiRights,
  diyhiTopic,
  diyhiUser,
  userNameOf,
  type DiyhiRow,
  type DiyhiRows,
} from '#importer/testing/old-diyhi.ts'

export const typedPassword = '一壶 tea 1'

const hidden = (kind: number, value: string, text: string) =>
  `<hide class="inputValue_${kind}" hide-type="${kind}"${value && ` input-value="${value}"`}><p>${text}</p></hide>`
const picture = '<img src="file/topic/2024-02-01/image/0a1b2c3d4e5f60718293a4b5c6d7e8f91.png" alt="杯子">'
const hides = [
  '<p>公开的话</p>',
  hidden(10, '芝麻 &amp; 开门', '暗语后面'),
  hidden(20, '', '评论后面'),
  hidden(30, '300', '等级后面'),
  hidden(40, '5', '积分后面'),
  hidden(50, '1.50', `金钱后面${picture}`),
  '<p>结尾</p>',
  hidden(40, '9', '积分之二'),
].join('')

const unhidden = (by: number, kind: number, topicId: number): DiyhiRow => {
  return { id: `${by}_${kind}_${topicId}`, hideTagType: kind, topicId, userName: userNameOf(by), shard: topicId % 4 }
}

const at = '2024-02-05 08:00:00'
const noIds = { topicId: -1, answerId: -1, answerReplyId: -1, commentId: -1, commentReplyId: -1, questionId: -1 }
const like = (by: number, module: number, its: DiyhiRow): DiyhiRow => {
  return { id: `like-${by}-${module}`, addtime: at, userName: userNameOf(by), module, ...noIds, ...its, shard: by % 4 }
}
const favourite = (by: number, module: number | null, its: DiyhiRow): DiyhiRow => {
  return {
    id: `favourite-${by}-${module}`,
    addtime: at,
    userName: userNameOf(by),
    module,
    topicId: -1,
    questionId: -1,
    ...its,
    shard: by % 4,
  }
}
const follow = (by: number, whom: number): DiyhiRow => {
  return { id: `${whom}-${by}`, addtime: at, userName: userNameOf(by), friendUserName: userNameOf(whom), shard: by % 4 }
}

const open = [1_000, 2_000, 7_000]

/** Members 1 to 9, and what a board of this program has; each test says what it is for. Rows of split tables lie in all four. */
export const diyhiCommunity: DiyhiRows = {
  systemsetting: [{ id: 1, title: '老茶馆' }],
  frontendapi: [{ id: 18, configData: '{"id":"x","maxResult":2,"pageCount":null,"sort":2}', routeEnumMapper: 'CUSTOM_6010300' }],
  sysusers: [{ userId: 'a1', issys: true, userDuty: '管理员', userAccount: 'root', nickname: '掌柜' }],
  userrole: [
    { id: 'r0', defaultRole: true, name: '会员', userResourceFormat: diyhiRights([{ tagId: 11, codes: open }], [2_000, 7_000]) },
    { id: 'r1', defaultRole: false, name: '茶友', userResourceFormat: diyhiRights([{ tagId: 12, codes: open }]) },
    { id: 'r2', defaultRole: false, name: '坏了', userResourceFormat: '[{"code":1000000,"type":20,"tagId":12' },
  ],
  userrolegroup: [
    { id: 1, userName: userNameOf(2), userRoleId: 'r1', validPeriodEnd: '2999-01-01 00:00:00' },
    { id: 2, userName: userNameOf(3), userRoleId: 'r1', validPeriodEnd: '2020-01-01 00:00:00' },
    { id: 3, userName: userNameOf(4), userRoleId: 'r2', validPeriodEnd: '2099-01-01 00:00:00' },
  ],
  user: [
    diyhiUser(1, 'ann', typedPassword, {
      nickname: '安安',
      email: 'ann@example.org',
      point: 50,
      deposit: '12.3456',
      avatarName: 'ann.png',
    }),
    diyhiUser(2, 'bob', typedPassword, { mobile: '13800138000' }),
    diyhiUser(3, 'cai', typedPassword, { point: 20 }),
    diyhiUser(4, 'dan', typedPassword, { deposit: '3.0000' }),
    diyhiUser(5, 'weixin-eve', null, { type: 40, nickname: '小叶' }),
    diyhiUser(6, 'gone::1640590418623', typedPassword, { cancelAccountTime: 1_700_000_000_000, nickname: '走了的人' }),
    diyhiUser(7, 'fay', typedPassword),
    diyhiUser(8, 'gus', typedPassword, { point: 500 }),
    diyhiUser(9, 'hal', typedPassword, { state: 2 }),
  ],
  userloginlog: [
    { id: 'l1', userId: 1, logonTime: '2024-05-01 20:00:00', shard: 1 },
    { id: 'l2', userId: 1, logonTime: '2024-06-01 20:00:00', shard: 1 },
  ],
  tag: [
    { id: 1, name: '茶', sort: 5, image: null, childNodeNumber: 2, parentId: 0 },
    { id: 11, name: '绿茶', sort: 2, image: 'file/topicTag/green.png', childNodeNumber: 0, parentId: 1 },
    { id: 12, name: '雅座', sort: 1, image: null, childNodeNumber: 0, parentId: 1 },
  ],
  questiontag: [
    { id: 11, name: '求助', sort: 1, image: null, childNodeNumber: 0, parentId: 0 },
    { id: 12, name: '水温', sort: 0, image: null, childNodeNumber: 0, parentId: 0 },
  ],
  questiontagassociation: [
    { id: 1, questionId: 1, questionTagId: 11 },
    { id: 2, questionId: 1, questionTagId: 12 },
    { id: 3, questionId: 2, questionTagId: 11 },
  ],
  topic: [
    diyhiTopic(1, '第一帖 & <b> 😀', `<p>大家好 <strong>茶</strong> <img src="common/emoticon/1.svg" alt="微笑"></p>${picture}`, {
      essence: true,
      sort: 1,
    }),
    diyhiTopic(2, '藏起来的', hides),
    diyhiTopic(3, '雅座里的话', '<p>茶友才看</p>', { tagId: 12 }),
    diyhiTopic(4, '等审核', '<p>等</p>', { status: 10 }),
    diyhiTopic(5, '删掉的', '<p>删</p>', { status: 120 }),
    diyhiTopic(6, '店里公告', '<p>告</p>', { isStaff: true, userName: 'root', allow: false }),
    diyhiTopic(7, '走了的人写的', '<p>没人看见</p>', { userName: userNameOf(6) }),
    diyhiTopic(8, '选一个', '<p>投票</p>', { voteThemeId: 'v1', giveRedEnvelopeId: 'e1' }),
  ],
  comment: [
    diyhiComment(1, 1, 2, '<p>一楼</p>'),
    diyhiComment(2, 1, 3, '<p>引用一楼</p>', {
      quoteIdGroup: ',1,',
      quote: `[{"commentId":1,"isStaff":false,"userName":"${userNameOf(2)}","content":"一楼"}]`,
    }),
    diyhiComment(3, 1, 2, '<p>删了</p>', { status: 100_020 }),
    diyhiComment(4, 1, 1, `<p><a href="user/control/home?userName=${userNameOf(3)}" linktype="mention">@cai</a> 说得对</p>`, {
      quoteIdGroup: ',2,1,',
    }),
    diyhiComment(5, 2, 8, '<p>我来评论</p>'),
  ],
  reply: [
    diyhiReply(1, 1, 1, '谢谢'),
    diyhiReply(2, 1, 2, '<p>不谢</p>', { friendReplyId: 1 }),
    diyhiReply(3, 1, 3, '作者删的', { status: 120 }),
  ],
  question: [
    diyhiQuestion(1, '几度的水?', '<p>谁知道</p>', {
      adoptionAnswerId: 2,
      point: 7,
      appendContent: '[{"id":"x","content":"<p>补充</p>","isMarkdown":false,"postTime":"2024-02-04 09:00:00"},',
    }),
    diyhiQuestion(2, '还没人答', '<p>悬着</p>', { point: 5, amount: '1.50' }),
  ],
  answer: [diyhiAnswer(1, 1, 3, '<p>滚水</p>'), diyhiAnswer(2, 1, 2, '<p>八十度</p>', { adoption: true })],
  answerreply: [diyhiAnswerReply()],
  votetheme: [{ id: 'v1', endDate: null, maxChoice: -1, module: 10, sourceParameterId: '8', title: '哪种茶' }],
  voteoption: [
    { id: 'o1', text: '绿茶', voteThemeId: 'v1', sort: 1 },
    { id: 'o2', text: '红茶', voteThemeId: 'v1', sort: 2 },
  ],
  voterecord: [vote(2, 'o1'), vote(2, 'o2'), vote(3, 'o2')],
  giveredenvelope: [{ id: 'e1', remainingQuantity: 2, refundAmount: null }],
  topicunhide: [unhidden(2, 10, 2), unhidden(3, 40, 2), unhidden(4, 50, 2)],
  like: [
    like(4, 10, { topicId: 1 }),
    like(1, 20, { topicId: 1, commentId: 1 }),
    like(2, 30, { topicId: 1, commentReplyId: 1 }),
    like(3, 40, { questionId: 1 }),
    like(7, 50, { questionId: 1, answerId: 2 }),
    like(8, 60, { questionId: 1, answerReplyId: 1 }),
  ],
  favorites: [
    favourite(4, null, { topicId: 1 }),
    favourite(1, 20, { questionId: 1 }),
    favourite(2, 10, { topicId: 2 }),
    favourite(3, 10, { topicId: 1 }),
  ],
  follow: [follow(4, 1), follow(1, 2), follow(2, 3), follow(3, 1)],
  privatemessage: [
    ...diyhiMessage(1, 1, 2, '悄悄话 &lt;b&gt;\n第二行', [20, 20]),
    ...diyhiMessage(2, 2, 1, '回话'),
    ...diyhiMessage(3, 3, 4, '收信人删了', [20, 120]),
    ...diyhiMessage(4, 4, 3, '两人都删了', [120, 120]),
    ...diyhiMessage(5, 7, 8, '收信人那份没了').slice(0, 1),
  ],
}

function diyhiAnswerReply(): DiyhiRow {
  const reply = Object.entries(diyhiReply(1, 2, 1, '试过了，对')).filter(([column]) => column !== 'topicId' && column !== 'commentId')
  return { ...Object.fromEntries(reply), questionId: 1, answerId: 2 }
}

function vote(by: number, option: string): DiyhiRow {
  return { id: `${userNameOf(by)}_v1_${option}`, userName: userNameOf(by), voteOptionId: option, voteThemeId: 'v1', voteTime: at }
}
