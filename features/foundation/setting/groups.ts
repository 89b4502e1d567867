export type Group = {
  /** The feature whose settings come first; the others follow in the order of features. */
  first?: string
  /** Its names in other forum software, in both languages: search terms of the palette, never shown. */
  aliases: string
}

/** Groups of the settings page, in its order. */
export const groups = {
  site: { aliases: 'general basic information seo 基本设置 站点信息 网站信息 全局' },
  open: { aliases: 'features toggle enable disable 功能 开关 启用 禁用' },
  accounts: { first: 'account', aliases: 'signup sign up security login captcha 注册 登录 安全 验证码 防注册机' },
  realName: { aliases: 'identity verification kyc id card minors age caps 实名 身份证 未成年 限额 验证' },
  posting: { first: 'writing', aliases: 'limits flood length 发帖 灌水 防灌水 限制 字数' },
  editor: { aliases: 'toolbar buttons wysiwyg markdown 工具栏 编辑器 按钮' },
  review: { aliases: 'moderation approval 审核 先审后发' },
  newMembers: { aliases: 'trust level newbie probation 新手 新会员 新用户 见习' },
  files: { aliases: 'uploads attachments images storage 上传 附件 图片 存储' },
  reports: { aliases: 'flags abuse contact 投诉 举报' },
  lists: { first: 'topic', aliases: 'pagination sorting ranking trending 分页 排序 热门' },
  points: { aliases: 'reward score reputation credits money wallet cash 奖励 声望 金币 余额 钱包 现金' },
  redEnvelopes: { aliases: 'gift lucky money hongbao 发红包 抢红包 拼手气' },
  assistant: { aliases: 'ai llm chatbot gpt model 人工智能 大模型 聊天机器人 额度' },
  payment: { aliases: 'gateway deposit recharge money checkout 支付 充值 收款 支付宝 微信支付' },
  backups: { aliases: 'schedule restore 定时备份 备份' },
  logs: { aliases: 'keeping of logs retention privacy gdpr cleanup 日志 保留 隐私 清理' },
  email: { aliases: 'mail smtp dkim sending provider 邮件 发信 邮箱 发送' },
  sms: { aliases: 'text message aliyun tencent provider 短信 阿里云 腾讯云 发送' },
  programs: { aliases: 'seo sitemap indexing search engine 收录 搜索引擎 推送' },
} as const satisfies Record<string, Group>

export type SettingGroup = keyof typeof groups
