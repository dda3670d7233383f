#include "cembedded.h"

/* One line a file. Tests/HouseTests fails if a file of Prompts/ or Config/ has no line here. The YAML that each start
   reads is embedded as JSON, which `make embedded` writes. */
static const unsigned char examples_md[] = {
#embed "../../Prompts/examples.md"
};
static const unsigned char kinds_txt[] = {
#embed "../../Prompts/kinds.txt"
};
static const unsigned char planner_md[] = {
#embed "../../Prompts/planner.md"
};
static const unsigned char tools_images_yaml[] = {
#embed "manifests/tools/images.json"
};
static const unsigned char tools_files_yaml[] = {
#embed "manifests/tools/files.json"
};
static const unsigned char tools_text_yaml[] = {
#embed "manifests/tools/text.json"
};
static const unsigned char tools_tables_yaml[] = {
#embed "manifests/tools/tables.json"
};
static const unsigned char tools_folders_yaml[] = {
#embed "manifests/tools/folders.json"
};
static const unsigned char tools_papers_yaml[] = {
#embed "manifests/tools/papers.json"
};
static const unsigned char tools_media_yaml[] = {
#embed "manifests/tools/media.json"
};
static const unsigned char tools_pictures_yaml[] = {
#embed "manifests/tools/pictures.json"
};
static const unsigned char tools_archives_yaml[] = {
#embed "manifests/tools/archives.json"
};
static const unsigned char tools_looks_yaml[] = {
#embed "manifests/tools/looks.json"
};
static const unsigned char tools_flow_yaml[] = {
#embed "manifests/tools/flow.json"
};
static const unsigned char systemd_assent_work_service[] = {
#embed "../../Config/systemd/assent-work.service"
};
static const unsigned char policy_yaml[] = {
#embed "manifests/policy.json"
};
static const unsigned char planner_de_yaml[] = {
#embed "manifests/planner/de.json"
};
static const unsigned char planner_en_yaml[] = {
#embed "manifests/planner/en.json"
};
static const unsigned char keys_yaml[] = {
#embed "manifests/keys.json"
};
static const unsigned char programs_yaml[] = {
#embed "manifests/programs.json"
};
static const unsigned char models_yaml[] = {
#embed "manifests/models.json"
};
static const unsigned char templates_thumbnail_json[] = {
#embed "../../Config/templates/thumbnail.json"
};
static const unsigned char templates_web_ready_json[] = {
#embed "../../Config/templates/web-ready.json"
};
static const unsigned char templates_word_report_json[] = {
#embed "../../Config/templates/word-report.json"
};
static const unsigned char providers_bentoml_task_yaml[] = {
#embed "manifests/providers/bentoml-task.json"
};
static const unsigned char providers_ray_jobs_yaml[] = {
#embed "manifests/providers/ray-jobs.json"
};
static const unsigned char providers_replicate_yaml[] = {
#embed "manifests/providers/replicate.json"
};
static const unsigned char providers_cog_yaml[] = {
#embed "manifests/providers/cog.json"
};
static const unsigned char providers_comfyui_yaml[] = {
#embed "manifests/providers/comfyui.json"
};
static const unsigned char providers_fal_yaml[] = {
#embed "manifests/providers/fal.json"
};
static const unsigned char providers_generic_yaml[] = {
#embed "manifests/providers/generic.json"
};
static const unsigned char providers_openai_responses_yaml[] = {
#embed "manifests/providers/openai-responses.json"
};
static const unsigned char providers_openai_video_yaml[] = {
#embed "manifests/providers/openai-video.json"
};
static const unsigned char providers_runpod_yaml[] = {
#embed "manifests/providers/runpod.json"
};
static const unsigned char providers_comfyui_history_yaml[] = {
#embed "manifests/providers/comfyui-history.json"
};
static const unsigned char tools_people_yaml[] = {
#embed "manifests/tools/people.json"
};
static const unsigned char tools_remote_yaml[] = {
#embed "manifests/tools/remote.json"
};
static const unsigned char templates_stylize_with_mask_json[] = {
#embed "../../Config/templates/stylize-with-mask.json"
};
static const unsigned char templates_text_to_image_json[] = {
#embed "../../Config/templates/text-to-image.json"
};
static const unsigned char templates_cut_out_subject_json[] = {
#embed "../../Config/templates/cut-out-subject.json"
};
static const unsigned char templates_upscale_remote_json[] = {
#embed "../../Config/templates/upscale-remote.json"
};
static const unsigned char guides_vehicle_damage_yaml[] = {
#embed "../../Config/guides/vehicle-damage.yaml"
};
static const unsigned char guides_meter_reading_yaml[] = {
#embed "../../Config/guides/meter-reading.yaml"
};

static const cembedded_file files[] = {
    {"Prompts/examples.md", examples_md, sizeof examples_md},
    {"Prompts/kinds.txt", kinds_txt, sizeof kinds_txt},
    {"Prompts/planner.md", planner_md, sizeof planner_md},
    {"Config/tools/images.yaml", tools_images_yaml, sizeof tools_images_yaml},
    {"Config/tools/files.yaml", tools_files_yaml, sizeof tools_files_yaml},
    {"Config/tools/text.yaml", tools_text_yaml, sizeof tools_text_yaml},
    {"Config/tools/tables.yaml", tools_tables_yaml, sizeof tools_tables_yaml},
    {"Config/tools/folders.yaml", tools_folders_yaml, sizeof tools_folders_yaml},
    {"Config/tools/papers.yaml", tools_papers_yaml, sizeof tools_papers_yaml},
    {"Config/tools/media.yaml", tools_media_yaml, sizeof tools_media_yaml},
    {"Config/tools/pictures.yaml", tools_pictures_yaml, sizeof tools_pictures_yaml},
    {"Config/tools/archives.yaml", tools_archives_yaml, sizeof tools_archives_yaml},
    {"Config/tools/looks.yaml", tools_looks_yaml, sizeof tools_looks_yaml},
    {"Config/tools/flow.yaml", tools_flow_yaml, sizeof tools_flow_yaml},
    {"Config/providers/bentoml-task.yaml", providers_bentoml_task_yaml, sizeof providers_bentoml_task_yaml},
    {"Config/providers/ray-jobs.yaml", providers_ray_jobs_yaml, sizeof providers_ray_jobs_yaml},
    {"Config/providers/replicate.yaml", providers_replicate_yaml, sizeof providers_replicate_yaml},
    {"Config/providers/cog.yaml", providers_cog_yaml, sizeof providers_cog_yaml},
    {"Config/providers/comfyui.yaml", providers_comfyui_yaml, sizeof providers_comfyui_yaml},
    {"Config/providers/fal.yaml", providers_fal_yaml, sizeof providers_fal_yaml},
    {"Config/providers/generic.yaml", providers_generic_yaml, sizeof providers_generic_yaml},
    {"Config/providers/openai-responses.yaml", providers_openai_responses_yaml, sizeof providers_openai_responses_yaml},
    {"Config/providers/openai-video.yaml", providers_openai_video_yaml, sizeof providers_openai_video_yaml},
    {"Config/providers/runpod.yaml", providers_runpod_yaml, sizeof providers_runpod_yaml},
    {"Config/templates/thumbnail.json", templates_thumbnail_json, sizeof templates_thumbnail_json},
    {"Config/templates/web-ready.json", templates_web_ready_json, sizeof templates_web_ready_json},
    {"Config/templates/word-report.json", templates_word_report_json, sizeof templates_word_report_json},
    {"Config/providers/comfyui-history.yaml", providers_comfyui_history_yaml, sizeof providers_comfyui_history_yaml},
    {"Config/tools/people.yaml", tools_people_yaml, sizeof tools_people_yaml},
    {"Config/tools/remote.yaml", tools_remote_yaml, sizeof tools_remote_yaml},
    {"Config/templates/stylize-with-mask.json", templates_stylize_with_mask_json, sizeof templates_stylize_with_mask_json},
    {"Config/templates/text-to-image.json", templates_text_to_image_json, sizeof templates_text_to_image_json},
    {"Config/templates/cut-out-subject.json", templates_cut_out_subject_json, sizeof templates_cut_out_subject_json},
    {"Config/templates/upscale-remote.json", templates_upscale_remote_json, sizeof templates_upscale_remote_json},
    {"Config/guides/vehicle-damage.yaml", guides_vehicle_damage_yaml, sizeof guides_vehicle_damage_yaml},
    {"Config/guides/meter-reading.yaml", guides_meter_reading_yaml, sizeof guides_meter_reading_yaml},
    {"Config/policy.yaml", policy_yaml, sizeof policy_yaml},
    {"Config/planner/de.yaml", planner_de_yaml, sizeof planner_de_yaml},
    {"Config/planner/en.yaml", planner_en_yaml, sizeof planner_en_yaml},
    {"Config/keys.yaml", keys_yaml, sizeof keys_yaml},
    {"Config/programs.yaml", programs_yaml, sizeof programs_yaml},
    {"Config/models.yaml", models_yaml, sizeof models_yaml},
    {"Config/systemd/assent-work.service", systemd_assent_work_service, sizeof systemd_assent_work_service},
};
size_t cembedded_count(void) { return sizeof files / sizeof files[0]; }
const cembedded_file *cembedded_at(size_t index) { return &files[index]; }
