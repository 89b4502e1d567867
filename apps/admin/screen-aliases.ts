/** The names that other forum software uses for these screens, in both languages. Invisible search terms of the palette. */
export const screenAliases: Readonly<Record<string, string>> = {
  '/admin/dashboard':
    'overview home statistics stats analytics metrics charts retention growth 首页 统计 数据 报表 图表 留存 增长 仪表盘 面板',
  '/admin/pageView': 'visits visitors traffic access log hits 访客 流量 浏览量 访问量 访问日志 点击',
  '/admin/review': 'moderation approve approval pending queue premoderation 审帖 待审 待审核 审核队列 先审后发 过审 人工审核',
  '/admin/sensitiveList':
    'word filter wordfilter censor censorship banned words blocklist blacklist bad words keywords filter swear profanity 违禁词 过滤词 屏蔽词 禁词 黑名单 关键词过滤 词语过滤 脏话',
  '/admin/report': 'flags flagged complaints abuse 投诉 检举 违规',
  '/admin/appeal': 'complaint objection second look 复议 申述 异议',
  '/admin/messageReport': 'flags complaints abuse harassment direct messages inbox dm pm 投诉 检举 骚扰 站内信 短消息 悄悄话',
  '/admin/reportCategory': 'report reasons flag reasons 举报理由 举报原因 举报类型',
  '/admin/topic':
    'threads posts articles trash bin recycle deleted removed pin pinned sticky highlight digest close move merge split 主题 帖子 发帖 文章 回收站 已删除 置顶 精华 加精 锁帖 关闭话题 移动 合并 拆分',
  '/admin/comment': 'posts floors trash bin recycle deleted removed 跟帖 回帖 楼层 留言 回收站 已删除',
  '/admin/reply': 'posts answers trash bin recycle deleted removed 楼中楼 点评 回收站 已删除',
  '/admin/tag': 'categories category sections boards forums subforums nodes 版块 板块 分类 分区 节点 栏目 专区',
  '/admin/batch': 'batches bulk mass undo history 批处理 批量删除 撤销',
  '/admin/member':
    'users accounts profiles ban banned bans suspend block mute silence kick password reset login 用户 会员 账户 账号 封号 封禁 禁言 禁止发言 拉黑 踢出 停用 注销 重置密码 改密码',
  '/admin/membershipOrder': 'purchases sales subscriptions upgrades refunds vip premium revenue 购买 会员 订阅 退款 销售 收入 VIP',
  '/admin/membershipFigures': 'sales revenue statistics subscribers active members churn report 销售 收入 统计 会员数 报表 到期',
  '/admin/giftTask': 'free trial promotion giveaway welcome automatic role campaign 体验 活动 赠送 送会员 自动发放 新人礼',
  '/admin/wallet': 'points balance ledger payments money credits log history entries 积分 余额 流水 账单 记录 明细 支付',
  '/admin/redEnvelope': 'red packets lucky money hongbao gifts giveaway shares 拼手气 红包 定额 发红包 领取 退回',
  '/admin/redEnvelope/figures': 'statistics report lucky money red packets gifts per day 统计 报表 红包 发出 领取 退回',
  '/admin/money-request': 'points balance add deduct grant top up approve request second 加分 扣分 充值 扣款 审批 复核 申请',
  '/admin/collusion':
    'fraud abuse sockpuppets sock puppets multiple accounts alts duplicate accounts vote ring rings farming cheating 小号 马甲 刷分 刷赞 互赞 互刷 作弊 套利 同一人 多账号',
  '/admin/books': 'ledger freeze lock audit reconciliation integrity 冻结 解冻 对账 核对 账本',
  '/admin/payment':
    'deposits deposit recharge top up topup transactions orders money income sales revenue 充值 充值记录 订单 收款 收入 到账 入金',
  '/admin/payment/refund': 'refund chargeback money back reversal return 退钱 退回 原路退回 退费',
  '/admin/payment/dispute': 'chargebacks chargeback claims bank complaint 拒付 退单 撤单 投诉 仲裁',
  '/admin/payment/event':
    'webhooks webhook callback callbacks notify notifications inbox failed suspended unmatched lost orders 回调 通知 掉单 漏单 异步通知 补单 挂起',
  '/admin/payment/difference':
    'reconcile settlement statement statements bill bills audit accounting month monthly report finance 账单 日账单 月报 核对 差错 长款 短款 财务 报表 清算',
  '/admin/payment/figures': 'income revenue sales statistics conversion fees report 收入 统计 成功率 手续费 报表 流水',
  '/admin/payment/provider':
    'gateway gateways processor alipay wechat pay stripe keys certificate merchant checkout licence law 支付接口 支付宝 微信支付 密钥 证书 商户 网关 法律 牌照',
  '/admin/membershipCard':
    'user upgrades subscriptions vip paid membership premium plans tiers store shop products prices 付费会员 会员等级 套餐 商品 价格 充值会员 增值 商店',
  '/admin/coupon': 'discount promo codes promotion vouchers gift codes redeem 折扣 优惠码 促销 兑换码 代金券 活动',
  '/admin/cleaning': 'spam spammer nuke purge delete all advertising 广告 垃圾信息 水军 一键删除 批量清理 灌水',
  '/admin/role':
    'permissions permission rights access groups user groups usergroups moderators badges 权限 用户组 会员组 身份组 版主 斑竹 等级',
  '/admin/field': 'custom fields profile fields registration form questions signup 自定义字段 资料字段 用户栏目 注册表单 注册问题 个人资料',
  '/admin/notice': 'announcements announcement broadcast banner news message all 公告 系统消息 群发 站内信 通告 广播 消息推送',
  '/admin/help': 'faq guide pages rules about 帮助 常见问题 版规 站规 关于 单页 指南',
  '/admin/terms': 'tos terms privacy policy agreement legal licence license 协议 用户协议 隐私 隐私政策 法律 许可',
  '/admin/feedback': 'contact suggestions inbox messages 意见 建议 联系我们 留言 投诉',
  '/admin/identityProvider':
    'oauth oidc openid connect sso single sign-on social login google github wechat qq provider 单点登录 微信登录 扫码登录 授权 绑定',
  '/admin/assistant/model':
    'ai llm openai deepseek qwen bailian kimi ollama provider api key chatbot 人工智能 大模型 百炼 火山方舟 通义 密钥 接口 聊天机器人',
  '/admin/assistant/report':
    'ai flags complaints abuse harmful wrong answers hallucination conversations 人工智能 投诉 举报 检举 对话 错误回答 幻觉',
  '/admin/assistant/usage': 'ai tokens spending budget billing expenses bill quota 人工智能 用量 花费 开销 账单 预算 额度',
  '/admin/assistant/prompt': 'ai system prompt instructions persona 人工智能 系统提示词 指令 人设',
  '/admin/joining': 'approval approve registrations pending signup queue waiting 注册审核 待审核 新成员 审核注册',
  '/admin/invitations': 'invite codes referral signup invite only registration 邀请码 邀请注册 注册码',
  '/admin/link': 'friend links blogroll partners footer 友链 合作伙伴 页脚 底部 链接交换',
  '/admin/setting': 'options preferences configuration config general 选项 配置 全局 参数 站点设置 基本设置',
  '/admin/delivery': 'email mail sms text message log provider test 发信 测试邮件',
  '/admin/delivery/template': 'email mail sms text message template wording subject preview 邮件模板 短信模板 模板 预览',
  '/admin/delivery/log': 'email mail sms text message outbox failed bounced 短信记录 邮件记录 发送失败 退信',
  '/admin/look': 'favicon brand branding image header touch icon apple icon picture 徽标 标志 商标 网站图标 站点图标 品牌 图片',
  '/admin/section': 'menu header navbar tabs order 导航 菜单 顶栏 导航栏 页头',
  '/admin/slot':
    'footer header html css code snippet banner ads advertisement advertising analytics theme sidebar 页脚 页头 广告 广告位 代码 统计代码 模板 主题 皮肤 样式 侧栏 横幅',
  '/admin/staff': 'administrators admins moderators team two-factor two factor 2fa mfa 管理员 版主 团队 员工 后台账号 二次验证 双重验证',
  '/admin/staffRole': 'permissions permission rights admin groups 权限 管理组 管理权限 后台权限',
  '/admin/audit': 'audit log history trail who did it activity 日志 审计 操作记录 管理日志 后台日志',
  '/admin/maintenance/health':
    'status monitor server system disk memory database errors version 状态 监控 服务器 系统信息 磁盘 内存 数据库 版本',
  '/admin/maintenance/job': 'cron scheduled tasks schedule queue workers background 计划任务 定时任务 后台任务 队列 调度',
  '/admin/maintenance/backup': 'restore dump export download database snapshot 还原 恢复 导出 数据库备份 快照',
  '/admin/self':
    'my account profile password sessions two-factor two factor 2fa mfa totp authenticator recovery codes 我的账号 改密码 密码 登录设备 两步验证 二次验证 双重验证 恢复码',
}
