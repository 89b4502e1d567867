import { throughEveryStaffScreen } from './through-every-staff-screen.ts'

throughEveryStaffScreen({ language: 'zh', theme: 'light', width: 'phone' })
