export type { ProviderClock } from './clock.ts';
export type { MethodCounts, ProviderCounts } from './counts.ts';
export type {
  CallKind,
  Depth,
  Form,
  Profile,
  ProviderFault,
  ProviderNode,
  Variant,
  VariantName,
} from './profile.ts';
export { isProfileName, PROFILE_NAMES, PROFILES, type ProfileName } from './profiles.ts';
export { type Provider, type ProviderOptions, serveProvider, UnknownVariant } from './provider.ts';
