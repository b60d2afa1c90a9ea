import { userSettings } from './user-settings.ts'

/**
 * What clerk-js asks first: how people sign in here, and what is shown to them.
 * Everything that would call another host is off: captcha, social sign-in, telemetry.
 * @param protectLoaders what clerk-js loads to protect sign-ups
 */
export function environmentJson(origin: string, protectLoaders: object[]) {
  return {
    object: 'environment',
    id: 'env_local',
    maintenance_mode: false,
    client_debug_mode: false,
    partitioned_cookies: false,
    auth_config: authConfig(),
    display_config: displayConfig(origin),
    user_settings: userSettings(),
    organization_settings: organizationSettings(),
    commerce_settings: {
      billing: {
        stripe_publishable_key: null,
        organization: { enabled: false, has_paid_plans: false },
        user: { enabled: false, has_paid_plans: false },
      },
    },
    api_keys_settings: { enabled: false },
    protect_config: { object: 'protect_config', id: '', loaders: protectLoaders },
  }
}

function authConfig() {
  return {
    object: 'auth_config',
    id: 'aconf_local',
    single_session_mode: true,
    claimed_at: null,
    reverification: false,
    preferred_channels: null,
    session_minter: false,
  }
}

function displayConfig(origin: string) {
  return {
    object: 'display_config',
    id: 'display_config_local',
    application_name: 'Adapt',
    branded: false,
    instance_environment_type: 'production',
    preferred_sign_in_strategy: 'password',
    captcha_public_key: null,
    captcha_public_key_invisible: null,
    captcha_widget_type: null,
    captcha_provider: 'turnstile',
    captcha_oauth_bypass: [],
    captcha_heartbeat: false,
    home_url: origin,
    show_devmode_warning: false,
    theme: {},
    logo_image_url: '',
    favicon_image_url: '',
    support_email: '',
    terms_url: '',
    privacy_policy_url: '',
    ...emptyUrls(),
  }
}

function emptyUrls() {
  return {
    sign_in_url: '',
    sign_up_url: '',
    user_profile_url: '',
    after_sign_in_url: '',
    after_sign_up_url: '',
    after_sign_out_all_url: '',
    after_sign_out_one_url: '',
    after_switch_session_url: '',
    organization_profile_url: '',
    create_organization_url: '',
    after_leave_organization_url: '',
    after_create_organization_url: '',
    waitlist_url: '',
    after_join_waitlist_url: '',
  }
}

function organizationSettings() {
  return {
    enabled: true,
    max_allowed_memberships: 5,
    force_organization_selection: false,
    actions: { admin_delete: true },
    domains: { enabled: false, enrollment_modes: [], default_role: 'org:member' },
    slug: { disabled: false },
    organization_creation_defaults: { enabled: false },
  }
}
